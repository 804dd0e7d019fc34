"""From a run's files to the figure that it stands for."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from mlperf_claimcheck.results.repository import layout, logs
from mlperf_claimcheck.results.repository.layout import Run
from mlperf_claimcheck.results.repository.rules import (
    NS_PER,
    Rule,
    canonical_model,
    figure_rule,
    inferred_rule,
    scenario_name,
)
from mlperf_claimcheck.results.repository.tree import MIB, Content, Files

SUMMARY_LIMIT = MIB
"""A summary log has about 2,000 bytes."""
DETAIL_HEAD = 4 * MIB
DETAIL_TAIL = 4 * MIB
"""The result keys are the last that LoadGen writes; of a larger detail log only head and tail are read."""
JSON_LIMIT = 16 * MIB


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure that stands in a log."""

    value: Decimal
    """In the published unit."""
    quantum: Decimal
    """The worth of its last printed digit, in the published unit."""
    text: str
    """As printed."""
    label: str
    file: str
    line: int | None


@dataclass(frozen=True, slots=True)
class RunResult:
    """What the logs of one run say."""

    run: Run
    model: str
    """Canonical benchmark."""
    scenario: str | None
    """The scenario that the folder names."""
    run_scenario: str | None = None
    """The scenario that the log says was run."""
    unit: str = ""
    figures: tuple[Figure, ...] = ()
    """The same figure from each log that holds it; the first one leads."""
    valid: bool | None = None
    valid_line: int | None = None
    inferred: str | None = None
    """The rule by which the result is inferred from another scenario's run."""
    endpoints: bool = False
    """Measured by the Endpoints client instead of LoadGen."""
    problem: str | None = None
    """Class of explanation where there is no usable figure."""
    message: str = ""
    contradictions: tuple[tuple[str, str, int | None], ...] = ()
    """Places where the logs disagree with themselves or each other: message, file, line."""
    notes: tuple[str, ...] = ()
    file: str = ""
    """The file that was read (or looked for) first."""


def evaluate(tree: Files, run: Run, round_id: str | None) -> RunResult:
    """Reads the logs of a run and picks the published figure by model and scenario. Never raises for bad files."""
    model = canonical_model(run.model, {run.model: run.mapped} if run.mapped else None)
    summary_path = run.file(f"{layout.RUN}/{layout.SUMMARY_LOG}")
    blank = RunResult(run, model, scenario_name(run.scenario), file=summary_path)
    if blank.scenario is None:
        return replace(blank, problem="unknown-scenario", message=f"“{run.scenario}” is not a scenario of MLPerf")
    summary = tree.read(summary_path, limit=SUMMARY_LIMIT)
    detail_path = run.file(f"{layout.RUN}/{layout.DETAIL_LOG}")
    if summary.problem == "missing" and not tree.exists(detail_path):
        if tree.exists(run.file(layout.ENDPOINTS_SUMMARY)):
            return _endpoints_client(tree, blank)
        return replace(blank, problem="no-log", message="there is no mlperf_log_summary.txt and no detail log")
    if not summary.ok and summary.problem != "missing":
        return replace(blank, problem=f"log-{summary.problem}", message=summary.message)
    if logs.is_binary(summary.data):
        return replace(blank, problem="log-binary", message="it is not a text file")
    detail = tree.read(detail_path, limit=DETAIL_HEAD, tail=DETAIL_TAIL) if tree.exists(detail_path) else Content()
    return _loadgen(blank, summary, summary_path, detail, detail_path, round_id)


def _loadgen(
    blank: RunResult, summary: Content, summary_path: str, detail: Content, detail_path: str, round_id: str | None
) -> RunResult:
    text = logs.parse_summary(summary.data)
    notes = []
    keys = logs.DetailLog()
    if not detail.ok:
        notes.append(f"{detail_path}: {detail.message}")
    elif logs.is_binary(detail.data):
        notes.append(f"{detail_path}: it is not a text file")
    elif detail.data:
        keys = logs.parse_detail(detail.data, gap_after=DETAIL_HEAD if detail.skipped else None)
        if detail.skipped:
            notes.append(f"{detail_path}: {detail.skipped:,} bytes in the middle of {detail.size:,} were not read")
    run_scenario = text.scenario or keys.scenario
    if run_scenario is None:
        return replace(blank, problem="log-truncated", message="it does not say which scenario was run")
    blank = replace(blank, run_scenario=run_scenario, notes=tuple(notes))
    assert blank.scenario is not None
    rule, inferred = _rule(blank.model, run_scenario, blank.scenario, round_id)
    if rule is None:
        return replace(
            blank,
            problem="scenario-differs",
            message=f"the log is of a {run_scenario} run, from which no {blank.scenario} result may be taken",
        )
    blank = replace(blank, unit=rule.unit, inferred=inferred)
    figures: list[Figure] = []
    found = text.figure(rule)
    if found is not None:
        figure = _figure(rule, found[1], found[0], summary_path, rule.print)
        if figure is not None:
            figures.append(figure)
    entry = keys.first(rule.detail)
    if entry is not None:
        figure = _figure(rule, entry, rule.detail, detail_path, "exact" if rule.latency else "general")
        if figure is not None:
            figures.append(figure)
    validity = text.validity
    where = summary_path
    if validity is None and (entry := keys.first("result_validity")) is not None:
        validity, where = entry, detail_path
    if validity is None or validity.text not in {"VALID", "INVALID"}:
        missing = "the line “Result is : VALID”" if summary.data else "result_validity"
        return replace(blank, problem="log-truncated", message=f"{missing} is not there")
    if not figures:
        return replace(
            blank,
            problem="no-figure",
            message=f"there is no usable “{rule.summary[0]}” ({rule.detail} in the detail log)",
            valid=validity.text == "VALID",
            valid_line=validity.line,
        )
    disagreements = [(m, summary_path, line) for m, line in logs.contradictions(text)]
    disagreements += _between(text, keys, figures, detail_path)
    if summary.data and not text.complete:
        notes.append(f"{summary_path}: it ends early; the closing lines on warnings and errors are not there")
    return replace(
        blank,
        figures=tuple(figures),
        valid=validity.text == "VALID",
        valid_line=validity.line,
        contradictions=tuple(disagreements),
        notes=tuple(notes),
        file=where,
    )


def _rule(model: str, run_scenario: str, scenario: str, round_id: str | None) -> tuple[Rule | None, str | None]:
    if run_scenario == scenario or (run_scenario, scenario) == ("Server", "Interactive"):
        return figure_rule(model, scenario, round_id), None
    rule = inferred_rule(run_scenario, scenario)
    return rule, rule.inferred if rule else None


def _figure(rule: Rule, entry: logs.Entry, label: str, file: str, style: str) -> Figure | None:
    printed = logs.number(entry.text)
    if printed is None or printed <= 0:
        return None
    value, step = printed, logs.quantum(printed, style)
    if rule.inverse:
        value = rule.inverse / (printed / NS_PER["ms"])
        step = Decimal(1).scaleb(value.adjusted() - 5)
    elif rule.latency:
        scale = NS_PER[rule.unit]
        # Whole nanoseconds are exact: the table holds the same integer, divided.
        value, step = printed * rule.factor / scale, Decimal(0)
    return Figure(value, step, entry.text, label, file, entry.line)


def _between(
    text: logs.SummaryLog, keys: logs.DetailLog, figures: list[Figure], detail_path: str
) -> list[tuple[str, str, int | None]]:
    """Where summary and detail log of one run contradict each other."""
    found: list[tuple[str, str, int | None]] = []
    if len(figures) == 2:
        first, second = figures
        if abs(first.value - second.value) > max(first.quantum, second.quantum) / 2:
            found.append(
                (f"the detail log gives {second.text}, the summary log {first.text}", second.file, second.line)
            )
    if keys.scenario and text.scenario and keys.scenario != text.scenario:
        entry = keys.first("effective_scenario")
        found.append(
            (
                f"the detail log is of a {keys.scenario} run, the summary log of a {text.scenario} run",
                detail_path,
                entry.line if entry else None,
            )
        )
    validity = keys.first("result_validity")
    if validity and text.validity and validity.text != text.validity.text:
        found.append(
            (
                f"the detail log says {validity.text}, the summary log {text.validity.text}",
                detail_path,
                validity.line,
            )
        )
    return found


def _endpoints_client(tree: Files, blank: RunResult) -> RunResult:
    """A run of the Endpoints client (from v6.1): throughput from `qps`/`tps`, SingleStream from the mean latency."""
    path = blank.run.file(layout.ENDPOINTS_SUMMARY)
    blank = replace(blank, file=path, endpoints=True)
    content = tree.read(path, limit=JSON_LIMIT)
    if not content.ok:
        return replace(blank, problem=f"log-{content.problem}", message=content.message)
    try:
        loaded: Any = json.loads(content.data)
    except (ValueError, RecursionError):
        return replace(blank, problem="log-truncated", message="it is not valid JSON")
    if not isinstance(loaded, dict):
        return replace(blank, problem="log-truncated", message="a JSON object was expected")
    assert blank.scenario is not None
    rule = figure_rule(blank.model, blank.scenario)
    if rule is None:
        return replace(blank, problem="unknown-scenario", message=f"no figure is known for {blank.scenario}")
    if rule.latency:
        key, number = "latency mean", _mean(loaded.get("latency"))
        value = number / NS_PER[rule.unit] if number is not None else None
    else:
        key = "tps" if rule.unit == "tokens/s" else "qps"
        number = _json_number(loaded.get(key))
        value = number
    if loaded.get("complete") is False or number is None or value is None or value <= 0:
        return replace(blank, problem="no-figure", message=f"there is no usable “{key}”, or the run is not complete")
    line = content.data.count(b"\n", 0, max(content.data.find(f'"{key.split()[0]}"'.encode()), 0)) + 1
    # The client writes floats in full; the table may hold them rounded in the last places.
    figure = Figure(value, Decimal(1).scaleb(value.adjusted() - 8), str(number), key, path, line)
    return replace(blank, run_scenario=blank.scenario, unit=rule.unit, figures=(figure,), valid=True)


def _mean(block: object) -> Decimal | None:
    if not isinstance(block, dict):
        return None
    for key in ("avg", "mean"):
        number = _json_number(block.get(key))
        if number is not None:
            return number
    return None


def _json_number(value: object) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    number = Decimal(repr(value))
    return number if number.is_finite() else None
