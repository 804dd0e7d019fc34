"""What can go wrong between the published files and the table."""

from __future__ import annotations


class ResultsError(Exception):
    """Results that cannot be read, or are damaged; the message names the file and row, and what to do."""


class ResultsUnavailable(ResultsError):
    """Results that could not be obtained; what was held before is unchanged."""


class ServerUnreachable(ResultsUnavailable):
    """A server that does not answer, or only with failures; asking it for other files is in vain for now."""


class RoundError(ValueError):
    """Text that is no round of MLPerf."""
