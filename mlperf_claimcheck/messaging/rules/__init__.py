"""The checks of the messaging rules, one module a family. Importing this package registers them."""

from __future__ import annotations

from mlperf_claimcheck.messaging.rules import (
    comparison,
    derived,
    endpoints,
    footnote,
    mark,
    power,
    text,
    timing,
    verification,
)

__all__ = ["comparison", "derived", "endpoints", "footnote", "mark", "power", "text", "timing", "verification"]
