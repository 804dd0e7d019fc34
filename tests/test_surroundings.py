"""Whatever machine it runs on: other encodings, full disks, signals, wrong clocks; an answer or a clear error."""

from __future__ import annotations

import ast
import contextlib
import csv
import io
import json
import os
import re
import resource
import signal
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

import mlperf_claimcheck
from mlperf_claimcheck.results.cache import held_round
from mlperf_claimcheck.results.explicit import read_source
from tests.results.summary_samples import new_csv, new_row

PACKAGE = Path(mlperf_claimcheck.__file__).parent
PATH = "/inference_results_v6.1/main/summary.csv"
CLAIM = "CoreWeave, GPT-OSS-120B on GB300 NVL72, MLPerf Inference v6.1 Offline: 16,635 tokens/s/GPU"


def run(
    *arguments: str, cwd: Path | None = None, env: dict[str, str] | None = None, **options: object
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        [sys.executable, "-m", "mlperf_claimcheck", *arguments],
        cwd=cwd,
        env={**os.environ, "COLUMNS": "100", **(env or {})},
        check=False,
        timeout=120,
        **({"capture_output": True} | options),
    )


def no_fault(done: subprocess.CompletedProcess[bytes]) -> None:
    errors = (done.stderr or b"").decode("utf-8", "replace")
    assert "Traceback" not in errors
    assert "This is a fault" not in errors
    assert done.returncode in (0, 1, 2, 3, 4), done.returncode


# ---- encodings ----

ENCODINGS = {
    "LANG=C": {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "ascii": {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    "cp1252": {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"},
    "cp437": {"PYTHONIOENCODING": "cp437", "PYTHONUTF8": "0"},
    "cp932": {"PYTHONIOENCODING": "cp932", "PYTHONUTF8": "0"},
}
COMMANDS = (
    ("verify", CLAIM + " — über 每秒 🎉"),
    ("results", "list"),
    ("results", "show", "--top", "2", "--per", "accelerator"),
    ("lint", "copy.md"),
    ("extract", "copy.md"),
    ("explain", "derived-metric"),
    ("schema",),
    ("check", "missing-é-每.yaml"),
)
COPY = "# MLPerf® Inference v6.1\n\nGPT-OSS-120B: 16,635 tokens/s/GPU — Offline, GB300 NVL72 每秒 🎉, CoreWeave\n"


@pytest.mark.parametrize("name", ENCODINGS)
def test_every_command_speaks_in_every_encoding(name: str, tmp_path: Path) -> None:
    (tmp_path / "copy.md").write_text(COPY, encoding="utf-8")
    for command in COMMANDS:
        done = run(*command, cwd=tmp_path, env=ENCODINGS[name])
        no_fault(done)
        assert done.stdout or done.stderr, command


@pytest.mark.parametrize("name", ["LANG=C", "cp1252"])
@pytest.mark.parametrize("form", ["json", "jsonl", "csv", "junit", "sarif", "claimreview", "html"])
def test_formats_for_programs_stay_valid_in_every_encoding(name: str, form: str) -> None:
    done = run("verify", CLAIM + ", ½ 每秒 ®", "--format", form, env=ENCODINGS[name])
    no_fault(done)
    text = done.stdout.decode("utf-8")
    if form in ("json", "sarif", "claimreview"):
        json.loads(text)
    elif form == "jsonl":
        assert all(json.loads(line) for line in text.splitlines())
    elif form == "junit":
        ElementTree.fromstring(done.stdout)
    elif form == "csv":
        assert len(list(csv.reader(io.StringIO(text)))) == 2
    assert "每秒" in (json.dumps(json.loads(text), ensure_ascii=False) if form == "json" else text) or form in (
        "sarif",
        "claimreview",
        "jsonl",
    )


def test_no_file_takes_its_encoding_from_the_platform() -> None:
    """On Windows that would be the code page of the country."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute | ast.Name):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
            given = {k.arg for k in node.keywords}
            texts = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
            place = f"{path.relative_to(PACKAGE)}:{node.lineno}"
            if name in ("read_text", "write_text"):
                assert "encoding" in given or "utf-8" in texts, place
            elif name == "open" and not (isinstance(node.func, ast.Attribute) and ast.unparse(node.func) == "os.open"):
                assert "encoding" in given or any("b" in t for t in texts), place
            elif name == "NamedTemporaryFile":
                assert "encoding" in given or not any("w" in t and "b" not in t for t in texts), place


def test_nothing_is_imported_that_only_posix_has() -> None:
    only = {"fcntl", "pwd", "grp", "termios", "resource", "posix", "tty", "pty", "syslog"}
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = (
                [a.name for a in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else []
            )
            assert not only & {n.partition(".")[0] for n in names}, f"{path}:{getattr(node, 'lineno', 0)}"


@pytest.mark.parametrize(
    "location",
    [
        "closed\\Acme\\results\\x",
        "..\\..\\Windows\\win.ini",
        "C:\\Windows\\win.ini",
        "\\\\host\\share\\x",
        "con",
        "a:b",
        "x" * 5000,
    ],
)
def test_locations_in_the_manner_of_windows_lead_nowhere_else(location: str, tmp_path: Path) -> None:
    from mlperf_claimcheck.results.repository.tree import Tree

    (tmp_path / "repo").mkdir()
    content = Tree(tmp_path / "repo").read(location, limit=1000)
    assert not content.ok
    path = tmp_path / "inference_v6.1_summary.csv"
    path.write_bytes(new_csv(new_row(Location=location, SystemName=location)))
    read_source(str(path), offline=True)


# ---- places ----


@pytest.mark.parametrize(
    "text",
    [
        "../../etc",
        "inference-v6.1/../..",
        "v6.1\\..",
        "inference-v6.1\0",
        "v6.1%2f..",
        "v٦.١",
        "-v6.1",
        "v6.1\n",
        "//host/v6.1",
    ],
)
def test_round_names_never_become_paths(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from mlperf_claimcheck.results.cache import held_rounds, stored_version, stored_versions
    from mlperf_claimcheck.results.errors import RoundError
    from mlperf_claimcheck.results.rounds import parse_round_id

    monkeypatch.setenv("MLPERF_CLAIMCHECK_CACHE_DIR", str(tmp_path / "cache"))
    with contextlib.suppress(RoundError):
        assert re.fullmatch(r"(inference|training|endpoints)-v\d+\.\d+", parse_round_id(text))
    assert held_round(text) is None
    assert stored_versions(text) == ()
    assert stored_version(text) is None
    assert held_rounds() == []
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize(
    "location", ["../../../etc/passwd", "/etc/passwd", "closed/../../../etc/passwd", "closed/a/link/x"]
)
def test_locations_of_results_never_lead_out_of_the_repository(location: str, tmp_path: Path) -> None:
    from mlperf_claimcheck.results.repository.tree import Tree

    root = tmp_path / "repo"
    (root / "closed/a").mkdir(parents=True)
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret/x").write_text("secret")
    (root / "closed/a/link").symlink_to(tmp_path / "secret")
    content = Tree(root).read(location, limit=10_000)
    assert not content.ok
    assert content.data == b""


# ---- bombs ----


def test_aliases_that_multiply_are_refused_at_once(tmp_path: Path) -> None:
    levels = "\n".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10))
    (tmp_path / "x.yaml").write_text(f"a0: &a0 [x, x]\n{levels}\nclaims: [*a9]\n")
    start = time.monotonic()
    done = run("check", "x.yaml", cwd=tmp_path)
    no_fault(done)
    assert done.returncode == 2
    assert time.monotonic() - start < 20


@pytest.mark.parametrize("name", ["x.html", "x.xhtml", "x.md"])
def test_entities_that_multiply_are_only_text(name: str, tmp_path: Path) -> None:
    entities = "".join(f"<!ENTITY l{n} '{f'&l{n - 1};' * 10}'>" for n in range(1, 10))
    (tmp_path / name).write_text(
        f"<?xml version='1.0'?><!DOCTYPE x [<!ENTITY l0 'lol'>{entities}<!ENTITY f SYSTEM 'file:///etc/passwd'>]><p>MLPerf &l9; &f; 5x</p>"
    )
    for command in ("extract", "lint"):
        done = run(command, name, cwd=tmp_path)
        no_fault(done)
        assert b"lollol" not in done.stdout
        assert b"root:" not in done.stdout


@pytest.mark.parametrize("magic", [b"PK\x03\x04", b"\x1f\x8b\x08", b"BZh9", b"\xfd7zXZ", b"(\xb5/\xfd"])
@pytest.mark.parametrize("name", ["x.yaml", "x.md", "inference_v6.1_summary.json"])
def test_packed_files_are_never_unpacked(magic: bytes, name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(magic + bytes(range(256)) * 40)
    command = ("verify", CLAIM, "--results", name) if "summary" in name else ("check", name)
    done = run(*command, cwd=tmp_path)
    no_fault(done)
    assert done.returncode in (2, 4)


def test_an_answer_that_unpacks_without_end_is_cut(
    httpserver: HTTPServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import gzip

    from mlperf_claimcheck.results.errors import ResultsUnavailable
    from mlperf_claimcheck.results.fetch import fetch_round

    monkeypatch.setenv("MLPERF_CLAIMCHECK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("MLPERF_CLAIMCHECK_RESULTS_URL", httpserver.url_for(""))
    packed = gzip.compress(b"[" + b" " * (200 * 1024 * 1024), 9)
    assert len(packed) < 300_000
    httpserver.expect_request(PATH).respond_with_data(packed, headers={"Content-Encoding": "gzip"})
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(ResultsUnavailable, match="larger than 64 MB"):
        fetch_round("v6.1")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300 * 1024


# ---- disks ----

full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")


@full
@pytest.mark.parametrize(
    "command", [("verify", CLAIM), ("--help",), ("results", "list"), ("schema",), ("lint", "copy.md")]
)
def test_a_full_disk_behind_standard_output_is_told(command: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "copy.md").write_text(COPY, encoding="utf-8")
    with Path("/dev/full").open("wb") as output:
        done = run(*command, cwd=tmp_path, capture_output=False, stdout=output, stderr=subprocess.PIPE)
    no_fault(done)
    assert done.returncode == 2
    assert b"No space left" in done.stderr


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))


def test_a_report_that_does_not_fit_leaves_the_old_one(tmp_path: Path) -> None:
    (tmp_path / "report.json").write_text("old")
    done = run("verify", CLAIM, "--format", "json", "-o", "report.json", cwd=tmp_path, preexec_fn=limited)
    no_fault(done)
    assert done.returncode == 2
    assert b"cannot be written" in done.stderr
    assert (tmp_path / "report.json").read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["report.json"]


def fetching(server: HTTPServer, cache: Path) -> dict[str, str]:
    return {
        "MLPERF_CLAIMCHECK_CACHE_DIR": str(cache),
        "MLPERF_CLAIMCHECK_RESULTS_URL": server.url_for(""),
        "NO_PROXY": "*",
    }


def held(cache: Path, monkeypatch: pytest.MonkeyPatch) -> bytes:
    monkeypatch.setenv("MLPERF_CLAIMCHECK_CACHE_DIR", str(cache))
    found = held_round("inference-v6.1")
    assert found is not None
    return found.content()


def test_a_disk_that_fills_during_a_fetch_leaves_what_was_held(
    httpserver: HTTPServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    httpserver.expect_oneshot_request(PATH).respond_with_data(new_csv())
    assert run("results", "fetch", "v6.1", env=fetching(httpserver, cache)).returncode == 0
    httpserver.expect_oneshot_request(PATH).respond_with_data(new_csv(new_row(Result="5.5")))
    done = run("results", "fetch", "v6.1", "--refresh", env=fetching(httpserver, cache), preexec_fn=limited)
    no_fault(done)
    assert done.returncode == 4
    assert b"cannot be written" in done.stderr
    assert held(cache, monkeypatch) == new_csv()
    assert not list(cache.rglob(".*"))


@pytest.mark.parametrize("place", ["file", "proc", "missing-drive"])
def test_a_cache_that_cannot_be_written_is_told(place: str, httpserver: HTTPServer, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    folder = {"file": tmp_path / "file", "proc": Path("/proc/none/x"), "missing-drive": tmp_path / "file/x"}[place]
    httpserver.expect_request(PATH).respond_with_data(new_csv())
    done = run("results", "fetch", "v6.1", env=fetching(httpserver, folder))
    no_fault(done)
    assert done.returncode == 4
    assert b"MLPERF_CLAIMCHECK_CACHE_DIR" in done.stderr
    # What does not need the cache goes on.
    assert run("verify", CLAIM, "--offline", env=fetching(httpserver, folder)).returncode in (0, 4)


# ---- signals ----


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_fetch_that_is_ended_leaves_the_cache_whole(
    number: signal.Signals, httpserver: HTTPServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    environment = {**os.environ, **fetching(httpserver, cache)}
    httpserver.expect_oneshot_request(PATH).respond_with_data(new_csv())
    assert run("results", "fetch", "v6.1", env=environment).returncode == 0
    started, over = threading.Event(), threading.Event()

    def slowly(_: Request) -> Response:
        def parts() -> object:
            yield new_csv()[:100]
            started.set()
            over.wait(60)

        return Response(parts(), headers={"Content-Length": str(len(new_csv()))})  # type: ignore[arg-type]

    httpserver.expect_oneshot_request(PATH).respond_with_handler(slowly)
    command = [sys.executable, "-m", "mlperf_claimcheck", "results", "fetch", "v6.1", "--refresh"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert started.wait(60)
        process.send_signal(number)
        _, errors = process.communicate(timeout=60)
    over.set()
    assert process.returncode != 0
    assert b"Traceback" not in errors
    assert held(cache, monkeypatch) == new_csv()
    assert not list(cache.rglob(".*"))
    # The lock went with the process: the next one does not wait for it.
    httpserver.expect_oneshot_request(PATH).respond_with_data(new_csv(new_row(Result="5.5")))
    assert run("results", "fetch", "v6.1", "--refresh", env=environment).returncode == 0
    assert held(cache, monkeypatch) == new_csv(new_row(Result="5.5"))


# ---- clocks ----


@pytest.mark.parametrize("moment", [-(10**9), 0, 2**33, 2**40])
def test_files_of_any_date_are_read(moment: int, tmp_path: Path) -> None:
    path = tmp_path / "inference_v6.1_summary.csv"
    path.write_bytes(new_csv())
    try:
        os.utime(path, (moment, moment))
    except OSError:
        pytest.skip("the file system does not hold such a date")
    assert read_source(str(path), offline=True).found


@pytest.mark.parametrize("day", ["1970-01-01", "9999-12-31", "yesterday"])
def test_a_cache_written_under_a_wrong_clock_is_used(
    day: str, httpserver: HTTPServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mlperf_claimcheck.results.cache import store
    from mlperf_claimcheck.results.load import load_results

    monkeypatch.setenv("MLPERF_CLAIMCHECK_CACHE_DIR", str(tmp_path / "cache"))
    store("inference-v6.1", new_csv(), url="https://x", etag="", retrieved=day)
    assert [r.submitter for r in load_results().by_round("inference-v6.1")] == ["Acme"]
    done = run("results", "list", env={"MLPERF_CLAIMCHECK_CACHE_DIR": str(tmp_path / "cache")})
    no_fault(done)
    # What is no date at all is a damaged record, and the way out is told.
    assert done.returncode == (4 if day == "yesterday" else 0)
    assert (b"fetch again" in done.stderr) == (day == "yesterday")
