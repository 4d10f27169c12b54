"""The team service: a small HTTP application over SQLite or PostgreSQL. The protocol is in docs/team.md."""
