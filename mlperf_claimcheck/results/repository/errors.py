"""What can be wrong with a results repository as a whole."""

from __future__ import annotations


class RepositoryError(Exception):
    """A folder that cannot be read as a results repository; the message says what was expected and what to do."""
