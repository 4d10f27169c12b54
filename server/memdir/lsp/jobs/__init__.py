"""The memory jobs as commands of the server. Nothing here is imported before a job is asked for or due."""
