"""Checking a document against the messaging rules."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import date

from mlperf_claimcheck.claims.documents import Document
from mlperf_claimcheck.messaging.catalogue import messaging_rules
from mlperf_claimcheck.messaging.context import LintContext
from mlperf_claimcheck.messaging.model import Edit, Finding, Fix, RuleSeverity
from mlperf_claimcheck.messaging.registry import CHECKS
from mlperf_claimcheck.messaging.suppress import Suppression, suppressions
from mlperf_claimcheck.results.model import ResultRow


class UnknownRuleError(ValueError):
    """A rule id that does not exist, or that no program can check."""

    def __init__(self, identifier: str) -> None:
        from rapidfuzz import process

        self.identifier = identifier
        near = process.extractOne(identifier, list(messaging_rules()), score_cutoff=60)
        hint = f"; did you mean {near[0]}?" if near else ""
        super().__init__(f"there is no messaging rule {identifier!r}{hint}")


def lint_document(
    document: Document,
    *,
    results: Sequence[ResultRow] | None = None,
    select: Collection[str] = (),
    ignore: Collection[str] = (),
    published: date | None = None,
    author: str | None = None,
) -> list[Finding]:
    """The places where a document breaks the messaging rules, in reading order.

    `results` are published rows that result IDs and "verified" figures are looked up in; without them those checks
    stay silent. `select` limits the rules, `ignore` leaves some out; an unknown id raises `UnknownRuleError`.
    `published` is the document's date and `author` the organisation that publishes it, for the rules about timing.
    """
    import mlperf_claimcheck.messaging.rules as _  # noqa: F401 - registers the checks

    catalogue = messaging_rules()
    for identifier in (*select, *ignore):
        if identifier not in catalogue:
            raise UnknownRuleError(identifier)
    context = LintContext(document, results, published, author)
    # A suppression can only be judged if the rules that it names were run.
    own = [i for i in select if catalogue[i].family == "suppression"]
    wanted = None if not select or own else set(select)
    active = [i for i in catalogue if i in CHECKS and (wanted is None or i in wanted) and i not in ignore]
    found: list[Finding] = []
    if context.speaks_of_mlperf:
        for identifier in active:
            entry = catalogue[identifier]
            for hit in CHECKS[identifier](context):
                start = hit.content.source_start(hit.start)
                end = max(hit.content.source_end(hit.end), start)
                line, column = document.lines.position(start)
                found.append(
                    Finding(
                        identifier,
                        hit.severity or entry.severity,
                        document.name,
                        line,
                        column,
                        document.lines.position(end),
                        hit.message,
                        hit.fix,
                        start,
                        end,
                    )
                )
    found = _suppress(document, found, select, ignore)
    if select:
        found = [f for f in found if f.rule in select]
    unique = {(f.rule, f.start_offset, f.message): f for f in found}
    return sorted(unique.values(), key=lambda f: (f.start_offset, f.rule))


def _suppress(
    document: Document, found: list[Finding], select: Collection[str], ignore: Collection[str]
) -> list[Finding]:
    directives = suppressions(document)
    if not directives:
        return found
    kept: list[Finding] = []
    by_rule: dict[str, list[Suppression]] = {}
    for directive in directives:
        if directive.reason:
            for rule in set(directive.rules):
                by_rule.setdefault(rule, []).append(directive)
    for finding in found:
        covering = [d for d in by_rule.get(finding.rule, ()) if d.first <= finding.start_offset <= d.last]
        for directive in covering:
            directive.used = True
        if not covering:
            kept.append(finding)
    catalogue = messaging_rules()

    def rule_runs(wanted: Iterable[str]) -> bool:
        return any(catalogue[i].family == "suppression" for i in select) or all(r in select for r in wanted)

    def report(rule: str, start: int, end: int, message: str, fix: Fix | None = None) -> None:
        if rule in ignore or (select and rule not in select):
            return
        line, column = document.lines.position(start)
        severity = catalogue[rule].severity
        kept.append(
            Finding(rule, severity, document.name, line, column, document.lines.position(end), message, fix, start, end)
        )

    for directive in directives:
        unknown = [r for r in directive.rules if r not in catalogue]
        if not directive.rules or unknown:
            report(
                "suppression-unknown-rule",
                directive.start,
                directive.end,
                f"the suppression names no known rule: {', '.join(unknown) or 'none given'}",
            )
        elif not directive.reason:
            report(
                "suppression-without-reason",
                directive.start,
                directive.end,
                "the suppression gives no reason, so it does not count",
                Fix("say why behind the rule id"),
            )
        elif (
            not directive.used
            and not any(r in ignore for r in directive.rules)
            and (not select or rule_runs(directive.rules))
        ):
            report(
                "suppression-unused", directive.start, directive.end, "the suppression suppresses nothing; remove it"
            )
    return kept


def apply_fixes(source: str, findings: Iterable[Finding], *, unsafe: bool = False) -> tuple[str, int]:
    """The source with the safe fixes of the findings applied, and how many were.

    Of two fixes that touch the same characters the first is applied; a further run applies what is left.
    """
    edits: list[tuple[Edit, ...]] = []
    taken: set[tuple[int, int]] = set()
    count = 0
    for finding in sorted(findings, key=lambda f: f.start_offset):
        fix = finding.fix
        if fix is None or not fix.edits or not (fix.safe or unsafe):
            continue
        spans = [(e.start, e.end) for e in fix.edits]
        if any((a < d and c < b) or (a, b) == (c, d) for a, b in spans for c, d in taken):
            continue
        taken.update(spans)
        edits.append(fix.edits)
        count += 1
    for edit in sorted((e for group in edits for e in group), key=lambda e: e.start, reverse=True):
        source = source[: edit.start] + edit.replacement + source[edit.end :]
    return source, count


def breaks_a_must(findings: Iterable[Finding]) -> bool:
    """Whether one of the findings is of a binding rule."""
    return any(f.severity is RuleSeverity.MUST for f in findings)
