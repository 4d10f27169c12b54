// The small memory directory that the tests inside the extension host work on.
import { World } from "./world.mjs";

const memory = (name, type, description, body) =>
  `---\nname: ${name}\ndescription: ${description}\ntype: ${type}\n---\n\n${body}\n`;

export const FILES = {
  "MEMORY.md": [
    "# Memory",
    "",
    "- [Real database](feedback_real_database.md) — integration tests hit a real database",
    "- [Freeze](project_freeze.md) — merge freeze before the mobile release",
    "",
  ].join("\n"),
  "feedback_real_database.md": memory(
    "Real database in integration tests",
    "feedback",
    "Integration tests must hit a real database, burned by mocks in Q4",
    "Integration tests must hit a real database.\n\n**Why:** a mocked migration passed and broke production.\n\n**How to apply:** start the database of the compose file before the tests.",
  ),
  "project_freeze.md": memory(
    "Merge freeze",
    "project",
    "No merges to main while the mobile team cuts its release branch",
    "The freeze starts next Thursday.\n\n**Why:** the mobile team cuts a release branch.\n\n**How to apply:** keep non-critical pull requests open until it is over.",
  ),
  "user_role.md": memory(
    "Role",
    "user",
    "Data scientist: reads Go well, new to the frontend",
    "The person is a data scientist. Explain frontend matters by analogy to the backend.",
  ),
};

/** Repository and memory for the host tests. */
export function hostWorld() {
  return new World("host").initRepository().writeMemory(FILES);
}
