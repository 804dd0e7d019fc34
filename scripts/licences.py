"""Writes docs/licences.md: the licence of everything that an installation brings along, from the packages' metadata.

`--check` writes nothing; it exits 1 where the file differs or a licence is not among the accepted ones.
"""

from __future__ import annotations

import re
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

TARGET = Path(__file__).resolve().parent.parent / "docs" / "licences.md"
PROJECT = "mlperf-claimcheck"
# SPDX. Each lets an Apache-2.0 program be passed on together with the package.
ACCEPTED = {"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MPL-2.0", "PSF-2.0", "0BSD", "Unlicense"}
# The words of older metadata.
WORDS = {
    "Apache License 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "BSD": "BSD-3-Clause",
    "BSD License": "BSD-3-Clause",
    "3-Clause BSD License": "BSD-3-Clause",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}


def normal(name: str) -> str:
    """A package's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def requirements(found: Distribution, extras: tuple[str, ...]) -> set[str]:
    """Names that a package requires here, with these extras."""
    names = set()
    for line in found.requires or ():
        requirement, _, marker = line.partition(";")
        match = re.match(r"\s*([A-Za-z0-9._-]+)", requirement)
        assert match is not None
        if marker:
            from packaging.markers import Marker

            if not any(Marker(marker).evaluate({"extra": extra}) for extra in ("", *extras)):
                continue
        names.add(normal(match[1]))
    return names


def licence(found: Distribution) -> str:
    """SPDX expression of a package's licence, as far as its metadata tells one."""
    metadata = found.metadata
    stated = str(metadata.get("License-Expression") or "").strip()
    if stated:
        return stated
    classes = [
        c.rpartition(" :: ")[2]
        for c in metadata.get_all("Classifier") or ()
        if c.startswith("License ::") and not c.endswith("OSI Approved")
    ]
    words = str(metadata.get("License") or "").strip().split("\n")[0]
    if words in ACCEPTED:
        return words
    known = [WORDS[w] for w in (*classes, words) if w in WORDS]
    return known[0] if known else " / ".join(classes) or words or "unknown"


def acceptable(expression: str) -> bool:
    """Whether at least one reading of an SPDX expression has accepted licences alone."""
    return any(
        all(part.strip(" ()") in ACCEPTED for part in re.split(r"\bAND\b", choice))
        for choice in re.split(r"\bOR\b", expression)
    )


def collected() -> dict[str, tuple[str, str]]:
    """Package -> its licence and what brings it: the program, or its extra for charts."""
    found: dict[str, tuple[str, str]] = {}
    for extras, label in (((), "always"), (("charts",), "extra `charts`")):
        waiting = requirements(distribution(PROJECT), extras)
        while waiting:
            name = waiting.pop()
            if name in found:
                continue
            try:
                package = distribution(name)
            except PackageNotFoundError:
                continue
            found[name] = (licence(package), label)
            waiting |= requirements(package, ())
    return found


def page(found: dict[str, tuple[str, str]]) -> str:
    """The file's text."""
    lines = [
        "# Licences",
        "",
        "mlperf-claimcheck is under Apache-2.0. An installation brings these packages along, each under its own",
        "licence. `make licences` writes this list from their metadata; the exact versions of development are in",
        "`requirements-dev.lock`.",
        "",
        "| package | licence | installed |",
        "|---|---|---|",
        *(f"| {name} | {terms} | {label} |" for name, (terms, label) in sorted(found.items())),
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Writes the file, or checks it."""
    found = collected()
    bad = {name: terms for name, (terms, _) in found.items() if not acceptable(terms)}
    for name, terms in bad.items():
        print(f"{name}: its licence {terms} is not among the accepted ones", file=sys.stderr)
    text = page(found)
    if "--check" in sys.argv:
        if TARGET.read_text("utf-8") != text:
            print(f"{TARGET.name} is not up to date; run `make licences`", file=sys.stderr)
            return 1
    else:
        TARGET.write_text(text, encoding="utf-8")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
