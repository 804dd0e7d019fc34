"""Accelerator counts that stand inside names, and rows that mix several kinds of accelerator."""

from __future__ import annotations

import re
from dataclasses import replace

from mlperf_claimcheck.results.model import ResultRow

_KINDS = re.compile(r"\(x[\dx]+\)")
_PRODUCT = re.compile(r"\(x(\d+)x(\d+)\)")
_COUNT = re.compile(r"\(x(\d+)\)")
_PLATFORM = (
    re.compile(r"^(\d{1,4})x(\d{1,3})x[A-Z]"),  # 9x8xMI355X
    re.compile(r"^(\d{1,4})x[A-Z]"),  # 8xMI300X_2xEPYC, 4xH100
    re.compile(r"(?:GB|aarch64|MI\d{3}[A-Z]|GB10|B\d{2}0)x(\d{1,4})(?:_[A-Za-z]+)?$"),  # GB300-288GB_aarch64x72_TRT
)


def with_counts(row: ResultRow) -> ResultRow:
    """The row with the used accelerators, the platform name's count and whether kinds are mixed.

    A count inside the accelerator's own name decides over the published total; a platform's count is kept beside it.
    """
    name = row.accelerator
    used = row.accelerators_published
    mixed = len(_KINDS.findall(name)) > 1 or " + " in name or bool(re.search(r"\) and |, (?:AMD|NVIDIA|Intel)", name))
    counts = [int(a) * int(b) for a, b in _PRODUCT.findall(name)] + [int(n) for n in _COUNT.findall(name)]
    if counts:
        used = sum(counts)
    if not name:
        used = 0 if not row.accelerators_published else row.accelerators_published
    platform = None
    if name and not mixed:
        for pattern in _PLATFORM:
            match = pattern.search(row.platform)
            if match:
                platform = 1
                for number in match.groups():
                    platform *= int(number)
                break
    return replace(row, accelerators=used, accelerators_platform=platform, heterogeneous=mixed)
