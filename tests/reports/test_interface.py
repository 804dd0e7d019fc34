"""The register of formats, and writing a report to a file."""

from __future__ import annotations

import io
import os
import stat
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from report_samples import ALL, FAILS, OPTIONS, report

from mlperf_claimcheck import reports
from mlperf_claimcheck.reports.layout import wrap
from mlperf_claimcheck.verdicts.model import Suggestion


@pytest.mark.parametrize("name", reports.names())
def test_every_format_renders_and_declares_itself(name: str) -> None:
    made = reports.reporter(name)
    assert made.name == name
    assert made.extension == reports.extension(name)
    for verdicts in (ALL, report()):
        text = reports.render(verdicts, name, OPTIONS)
        assert text == "" or text.endswith("\n")
        text.encode()


def test_an_unknown_format_names_the_known_ones() -> None:
    with pytest.raises(reports.UnknownFormatError, match=r"'xml'; expected one of: table, json"):
        reports.render(ALL, "xml", OPTIONS)
    with pytest.raises(reports.UnknownFormatError):
        reports.extension("xml")


def test_the_register_imports_no_format() -> None:
    import subprocess

    code = "import sys, mlperf_claimcheck.reports; print([m for m in sys.modules if m in ('rich', 'jinja2', 'polars')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_report_replaces_a_file_as_a_whole_and_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    path.write_text("old")
    path.chmod(0o640)
    reports.write_report("new\n", path)
    assert path.read_text() == "new\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_folders_are_made_and_links_followed(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "er" / "out.txt"
    reports.write_report("one\n", target)
    link = tmp_path / "link"
    link.symlink_to(target)
    reports.write_report("two\n", link)
    assert link.is_symlink()
    assert target.read_text() == "two\n"


def test_what_cannot_be_written_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(reports.ReportWriteError, match="is a folder"):
        reports.write_report("x", tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(reports.ReportWriteError, match="cannot be written"):
        reports.write_report("x", tmp_path / "file" / "out")
    with pytest.raises(reports.ReportWriteError):
        reports.write_report("x", "bad\0name")


def test_a_device_is_written_to() -> None:
    reports.write_report("x\n", os.devnull)
    assert not Path(os.devnull).is_file()


def test_colour_is_for_terminals_and_can_be_forbidden(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert reports.wants_colour(Terminal())
    assert not reports.wants_colour(io.StringIO())
    monkeypatch.setenv("TERM", "dumb")
    assert not reports.wants_colour(Terminal())
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert reports.wants_colour(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not reports.wants_colour(Terminal())


def test_lines_are_broken_by_the_cells_that_a_terminal_draws() -> None:
    assert wrap("one two three", 7) == ["one two", "three"]
    assert wrap("abcdefgh", 4) == ["abcd", "efgh"]
    assert wrap("服务器场景", 4) == ["服务", "器场", "景"]
    assert wrap("a\nb", 10) == ["a", "b"]
    assert wrap("", 10) == [""]


@pytest.mark.parametrize("form", [n for n in reports.names() if n != "claimreview"])
def test_suggested_wording_is_in_every_format_that_is_no_review_of_others(form: str) -> None:
    """`--suggest` is for those who write the copy; a ClaimReview is for its readers."""
    made = report(replace(FAILS, suggestion=Suggestion("Better words", "And a footnote")))
    text = reports.render(made, form, OPTIONS)
    assert "Better words" in text
    assert "And a footnote" in text
    bare = report(replace(FAILS, suggestion=Suggestion("Better words", "")))
    assert "ootnote:" not in reports.render(bare, form, replace(OPTIONS, charts=False)).replace('"footnote": ""', "")
