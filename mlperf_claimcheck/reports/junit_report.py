"""JUnit XML: one test case a claim, one test suite a claim file."""

from __future__ import annotations

from xml.etree import ElementTree

from mlperf_claimcheck.reports.interface import ReportOptions
from mlperf_claimcheck.reports.words import NOT_VERIFIED, TRADEMARK, finding_words, source_words, stale_words
from mlperf_claimcheck.verdicts.model import Outcome, Report, Verdict
from mlperf_claimcheck.verdicts.text import no_commands, printable


class JUnitReporter:
    """A failed claim, or one that missed its expected verdict, is a failure; undecided and accepted ones skip."""

    name = "junit"
    extension = ".xml"

    def render(self, report: Report, options: ReportOptions) -> str:
        """The XML document."""
        root = ElementTree.Element("testsuites", {"name": options.tool_name, **_counts(report.verdicts)})
        files: dict[str, list[Verdict]] = {}
        for verdict in report.verdicts:
            files.setdefault(verdict.file or "claims", []).append(verdict)
        for name, verdicts in files.items():
            suite = ElementTree.SubElement(root, "testsuite", {"name": printable(name), **_counts(tuple(verdicts))})
            properties = ElementTree.SubElement(suite, "properties")
            for source in report.sources:
                for key, value in (("results", source_words(source)), ("source", source.source)):
                    ElementTree.SubElement(
                        properties, "property", name=f"{key} {printable(source.round)}", value=printable(value)
                    )
            for entry in report.stale:
                ElementTree.SubElement(properties, "property", name="accepted but gone", value=stale_words(entry))
            ElementTree.SubElement(properties, "property", name="notice", value=f"{TRADEMARK} {NOT_VERIFIED}")
            for number, verdict in enumerate(verdicts, 1):
                _case(suite, name, verdict, number)
        ElementTree.indent(root, " ")
        body = ElementTree.tostring(root, encoding="unicode", xml_declaration=False)
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def _case(suite: ElementTree.Element, file: str, verdict: Verdict, number: int) -> None:
    place = {"file": printable(file)} if verdict.file else {}
    if verdict.line is not None:
        place["line"] = str(verdict.line)
    name = printable(f"{verdict.id or number}: {verdict.text}" if verdict.text else verdict.id or str(number))
    case = ElementTree.SubElement(suite, "testcase", {"classname": printable(file), "name": name, "time": "0", **place})
    message = printable(verdict.reason.message)
    text = no_commands("\n".join(map(printable, finding_words(verdict))))
    if verdict.accepted is not None:
        accepted = f"{verdict.outcome}, accepted: {printable(verdict.accepted)}"
        ElementTree.SubElement(case, "skipped", message=accepted).text = text
    elif verdict.counted is Outcome.FAIL:
        if verdict.expected is not None:
            message = f"{verdict.outcome}, but {verdict.expected} was expected: {message}"
        kind = printable(verdict.reason.code)
        ElementTree.SubElement(case, "failure", type=kind, message=message).text = text
    elif verdict.counted is Outcome.UNVERIFIABLE:
        ElementTree.SubElement(case, "skipped", message=f"unverifiable: {message}").text = text
    else:
        ElementTree.SubElement(case, "system-out").text = text


def _counts(verdicts: tuple[Verdict, ...]) -> dict[str, str]:
    return {
        "tests": str(len(verdicts)),
        "failures": str(sum(v.counted is Outcome.FAIL and v.accepted is None for v in verdicts)),
        "errors": "0",
        "skipped": str(sum(v.counted is Outcome.UNVERIFIABLE or v.accepted is not None for v in verdicts)),
        "time": "0",
    }


REPORTER = JUnitReporter()
