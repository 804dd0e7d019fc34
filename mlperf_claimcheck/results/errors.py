"""What can go wrong between the published files and the table."""

from __future__ import annotations


class ResultsError(Exception):
    """Results that cannot be read, or are damaged; the message names the file and row, and what to do."""


class ResultsUnavailable(ResultsError):
    """Results that could not be obtained; what was held before is unchanged."""


class RoundError(ValueError):
    """Text that is no round of MLPerf."""
