"""What can be wrong with a results repository as a whole."""

from __future__ import annotations


class RepositoryError(Exception):
    """A folder that cannot be read as a results repository; the message says what was expected and what to do."""


class UnreadableFile(Exception):
    """A file of a repository that cannot be used."""

    def __init__(self, file: str, message: str, line: int | None = None) -> None:
        self.file, self.message, self.line = file, message, line
        super().__init__(f"{file}{f':{line}' if line else ''}: {message}")
