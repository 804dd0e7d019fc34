"""`check --evidence logs`: a passed figure is traced to the line of its run's own log, and fails where they differ."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from typer.testing import CliRunner

from mlperf_claimcheck.cli.main import app
from mlperf_claimcheck.results import fetch as fetching
from tests.results.repository.conftest import Repo, detail_log, summary_log

LOCATION = "closed/Dell/results/one/llama2-70b-99/Offline"
LOG = f"{LOCATION}/performance/run_1/mlperf_log_summary.txt"
SYSTEM = "closed/Dell/systems/one.json"
CLAIM = "Dell: 12,345 tokens/s offline on Llama 2 70B, MLPerf Inference v5.1"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLPERF_CLAIMCHECK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "*")


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """One run whose log and summary agree."""
    root = tmp_path / "inference_results_v5.1"
    root.mkdir()
    made = Repo(root)
    made.run(
        "Dell", "one", "llama2-70b-99", "Offline", summary_log("Offline", ["Tokens per second: 12345"]), value=12345.0
    )
    made.write_summary()
    return made


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, list(arguments))
    return result.exit_code, result.stdout, result.stderr


def check(*options: str, text: str = CLAIM, form: str = "json") -> tuple[int, Any, str]:
    """Exit code, report (the one claim of a JSON report), and what was said."""
    code, out, err = run("verify", text, "-f", form, "--evidence", "logs", *options)
    return code, json.loads(out)["claims"][0] if form == "json" and out else out, err


def test_the_report_names_the_line_of_the_log_and_of_the_system_description(repo: Repo) -> None:
    code, claim, err = check("--results", str(repo.root))
    assert (code, claim["verdict"], err) == (0, "pass", "")
    log = claim["evidence"][0]["log"]
    assert (log["outcome"], log["code"]) == ("agrees", "measured")
    assert (log["file"], log["line"]) == (LOG, 7)
    assert (
        (repo.root / LOG).read_text().splitlines()[6] == f"{log['label']}: {log['text']}" == "Tokens per second: 12345"
    )
    assert (log["value"], log["unit"]) == (12345.0, "tokens/s")
    assert log["source"] == str(repo.root / LOG)
    described = log["system"]
    assert (described["file"], described["accelerators"]) == (SYSTEM, 8)
    assert "accelerators_per_node" in (repo.root / SYSTEM).read_text().splitlines()[described["line"] - 1]


def test_without_the_option_nothing_is_traced(repo: Repo) -> None:
    code, out, _ = run("verify", CLAIM, "-f", "json", "--results", str(repo.root))
    assert code == 0
    assert "log" not in json.loads(out)["claims"][0]["evidence"][0]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("Tokens per second: 12345", "Tokens per second: 12355", "value-differs"),
        ("Result is : VALID", "Result is : INVALID", "invalid-run"),
        ("Scenario : Offline", "Scenario : Server", "scenario-differs"),
    ],
)
def test_a_log_that_says_something_else_turns_the_pass_into_a_fail(repo: Repo, old: str, new: str, code: str) -> None:
    path = repo.root / LOG
    path.write_text(path.read_text().replace(old, new))
    exit_code, claim, _ = check("--results", str(repo.root))
    assert (exit_code, claim["verdict"], claim["reason"]["code"]) == (1, "fail", "log-disagrees")
    assert claim["evidence"][0]["log"]["outcome"] == "disagrees"
    assert claim["evidence"][0]["log"]["code"] == code
    assert LOG in claim["reason"]["message"]


def test_a_system_description_of_other_accelerators_disagrees(repo: Repo) -> None:
    repo.system("Dell", "one", accelerators_per_node="8")
    _, claim, _ = check("--results", str(repo.root))
    assert claim["reason"]["code"] == "log-disagrees"
    assert claim["evidence"][0]["log"]["code"] == "accelerators-differ"
    assert SYSTEM in claim["reason"]["message"]


def test_a_claim_that_fails_anyway_is_not_traced(repo: Repo) -> None:
    code, claim, err = check("--results", str(repo.root), text=CLAIM.replace("12,345", "12,999"))
    assert (code, claim["reason"]["code"], err) == (1, "value-differs", "")
    assert all("log" not in row for row in claim["evidence"])


def test_a_part_of_a_compound_claim_that_its_log_contradicts_fails_the_whole(repo: Repo) -> None:
    wrong = summary_log("Server", ["Completed tokens per second: 999"])
    repo.run("Dell", "one", "llama2-70b-99", "Server", wrong, value=11000.0)
    repo.write_summary()
    text = "Dell: 12,345 tokens/s offline and 11,000 tokens/s server on Llama 2 70B, MLPerf Inference v5.1"
    code, claim, _ = check("--results", str(repo.root), text=text)
    assert [p["verdict"] for p in claim["parts"]] == ["pass", "fail"]
    assert (code, claim["verdict"], claim["reason"]["code"]) == (1, "fail", "log-disagrees")


@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "no performance"), (b"", "empty"), (b"\0\1\2", "not a text file"), (b"Scenario : Offline\n", "Result is")],
)
def test_a_log_that_cannot_be_used_leaves_the_pass_with_a_warning(
    repo: Repo, content: bytes | None, words: str
) -> None:
    path = repo.root / LOG
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    code, claim, err = check("--results", str(repo.root))
    assert (code, claim["verdict"]) == (0, "pass")
    assert claim["evidence"][0]["log"]["outcome"] == "not-checked"
    (caveat,) = (c for c in claim["caveats"] if c["code"] == "log-not-checked")
    assert caveat["severity"] == "warning"
    if content is not None:
        assert words in caveat["message"]
    assert "1 of 1 rows could not be traced" in err


def test_nothing_outside_the_folder_is_read(repo: Repo, tmp_path: Path) -> None:
    path = repo.root / LOG
    path.rename(tmp_path / "secret.txt")
    path.symlink_to(tmp_path / "secret.txt")
    _, claim, _ = check("--results", str(repo.root))
    assert claim["evidence"][0]["log"]["code"] == "log-outside"


@pytest.mark.parametrize("location", ["../../etc/passwd", "closed/Dell/results/../../../x", "closed/Dell", "/etc"])
def test_a_location_that_is_no_folder_of_a_run_is_not_followed(repo: Repo, location: str) -> None:
    repo.rows[0]["Location"] = location
    repo.write_summary()
    _, claim, _ = check("--results", str(repo.root))
    assert claim["evidence"][0]["log"]["outcome"] == "not-checked"


def test_a_folder_that_holds_repositories_as_a_mirror_does_has_the_logs(repo: Repo) -> None:
    _, claim, _ = check("--results", str(repo.root.parent))
    assert claim["evidence"][0]["log"]["outcome"] == "agrees"


def test_a_table_from_logs_alone_is_traced_to_them(repo: Repo) -> None:
    (repo.root / "summary_results.json").unlink()
    code, claim, _ = check("--results", str(repo.root))
    assert (code, claim["evidence"][0]["log"]["file"]) == (0, LOG)


class TestUpstream:
    """Where no folder is named, the files are fetched from the repository's address."""

    @pytest.fixture
    def server(self, repo: Repo, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> HTTPServer:
        monkeypatch.setenv("MLPERF_CLAIMCHECK_RESULTS_URL", httpserver.url_for(""))
        monkeypatch.setattr(fetching, "ATTEMPTS", 1)
        self.serve(httpserver, LOG, (repo.root / LOG).read_bytes())
        self.serve(httpserver, SYSTEM, (repo.root / SYSTEM).read_bytes())
        return httpserver

    def serve(self, server: HTTPServer, path: str, data: bytes, status: int = 200) -> None:
        address = f"/inference_results_v5.1/main/{path}"
        server.expect_request(address).respond_with_data(data, status, content_type="text/plain")

    def check(self, repo: Repo, *options: str) -> tuple[int, Any, str]:
        return check("--results", str(repo.root / "summary_results.json"), *options)

    def test_log_and_system_description_are_fetched(self, repo: Repo, server: HTTPServer) -> None:
        code, claim, err = self.check(repo)
        log = claim["evidence"][0]["log"]
        assert (code, err, log["outcome"], log["line"]) == (0, "", "agrees", 7)
        assert log["source"] == server.url_for(f"/inference_results_v5.1/main/{LOG}")
        assert log["system"]["accelerators"] == 8

    def test_a_mirror_that_the_results_came_from_has_the_logs_too(
        self, repo: Repo, server: HTTPServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.serve(server, "summary_results.json", (repo.root / "summary_results.json").read_bytes())
        monkeypatch.setenv("MLPERF_CLAIMCHECK_RESULTS_URL", "http://127.0.0.1:1/")
        _, claim, _ = check("--results", server.url_for("/inference_results_v5.1/main/summary_results.json"))
        assert claim["evidence"][0]["log"]["outcome"] == "agrees"

    def test_a_fetched_log_that_differs_fails_the_claim(
        self, repo: Repo, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("MLPERF_CLAIMCHECK_RESULTS_URL", httpserver.url_for(""))
        self.serve(httpserver, LOG, (repo.root / LOG).read_bytes().replace(b"12345", b"12344"))
        self.serve(httpserver, SYSTEM, (repo.root / SYSTEM).read_bytes())
        code, claim, _ = self.check(repo)
        assert (code, claim["reason"]["code"]) == (1, "log-disagrees")

    def test_offline_asks_nobody(self, repo: Repo, server: HTTPServer) -> None:
        code, claim, _ = self.check(repo, "--offline")
        assert (code, claim["evidence"][0]["log"]["code"]) == (0, "log-unavailable")
        assert "--offline" in claim["caveats"][-1]["message"]
        assert not server.log

    def test_a_detail_log_is_not_fetched(self, repo: Repo, server: HTTPServer) -> None:
        self.serve(server, LOG.replace("summary", "detail"), detail_log({"result_tokens_per_second": 1}).encode())
        _, claim, _ = self.check(repo)
        assert claim["evidence"][0]["log"]["outcome"] == "agrees"
        assert not any("detail" in request.path for request, _ in server.log)

    def test_a_run_of_the_endpoints_client_is_read_from_its_own_summary(
        self, repo: Repo, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("MLPERF_CLAIMCHECK_RESULTS_URL", httpserver.url_for(""))
        content = json.dumps({"complete": True, "qps": 10.0, "tps": 12345.0}, indent=1)
        self.serve(httpserver, f"{LOCATION}/performance/result_summary.json", content.encode())
        for path in (LOG, SYSTEM):
            self.serve(httpserver, path, b"", 404)
        _, claim, _ = self.check(repo)
        log = claim["evidence"][0]["log"]
        assert (log["code"], log["line"], log["text"]) == ("endpoints-client", 4, "12345.0")
        assert "was not compared" in log["message"]

    def test_a_server_that_does_not_answer_is_asked_once(
        self, repo: Repo, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("MLPERF_CLAIMCHECK_RESULTS_URL", httpserver.url_for(""))
        monkeypatch.setattr(fetching, "ATTEMPTS", 1)
        for path in (LOG, SYSTEM):
            self.serve(httpserver, path, b"", 503)
        code, claim, err = self.check(repo)
        assert (code, claim["evidence"][0]["log"]["code"]) == (0, "log-unavailable")
        assert "503" in claim["caveats"][-1]["message"]
        assert "could not be traced" in err
        assert len(httpserver.log) == 1

    @pytest.mark.parametrize("size", [1024**2 + 1, 16 * 1024**2 + 1])
    def test_a_log_that_is_too_large_is_not_used(self, repo: Repo, httpserver: HTTPServer, size: int) -> None:
        self.serve(httpserver, LOG, b"x\n" * (size // 2 + 1))
        self.serve(httpserver, SYSTEM, (repo.root / SYSTEM).read_bytes())
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("MLPERF_CLAIMCHECK_RESULTS_URL", httpserver.url_for(""))
            _, claim, _ = self.check(repo)
        assert claim["evidence"][0]["log"]["outcome"] == "not-checked"

    def test_a_sign_in_page_is_no_log(
        self, repo: Repo, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("MLPERF_CLAIMCHECK_RESULTS_URL", httpserver.url_for(""))
        httpserver.expect_request(f"/inference_results_v5.1/main/{LOG}").respond_with_data(
            "<html>", content_type="text/html"
        )
        self.serve(httpserver, SYSTEM, (repo.root / SYSTEM).read_bytes())
        _, claim, _ = self.check(repo)
        assert claim["evidence"][0]["log"]["code"] == "log-unavailable"
        assert "web page" in claim["caveats"][-1]["message"]


@pytest.mark.parametrize("form", ["table", "markdown", "html", "csv", "junit", "claimreview", "jsonl"])
def test_formats_show_the_line_of_the_log(repo: Repo, form: str) -> None:
    _, out, _ = check("--results", str(repo.root), form=form)
    text = "".join(out.split())
    shown = text.replace("\\_", "_").replace("<span>:</span>", ":")
    assert "summary.txt:7" in shown or '"line":7' in text


@pytest.mark.parametrize(
    "form", ["table", "markdown", "html", "csv", "junit", "claimreview", "jsonl", "sarif", "github"]
)
def test_formats_show_that_the_log_disagrees(repo: Repo, form: str) -> None:
    (repo.root / LOG).write_text((repo.root / LOG).read_text().replace("12345", "54321"))
    code, out, _ = check("--results", str(repo.root), form=form)
    assert code == 1
    assert "54321" in out


def test_the_text_of_a_log_cannot_steer_a_terminal_or_spreadsheet(repo: Repo) -> None:
    text = (repo.root / LOG).read_text().replace("Result is : VALID", "Result is : VALID\n\x1b]0;x\x07=1+1 : 3")
    (repo.root / LOG).write_text(text.replace("12345", "\x1b[31m12345"))
    for form in ("table", "csv"):
        _, out, _ = check("--results", str(repo.root), form=form)
        assert "\x1b" not in out
        if form == "csv":
            assert all(not cell.startswith("=") for row in csv.reader(io.StringIO(out)) for cell in row)


def test_another_kind_of_evidence_is_bad_usage() -> None:
    code, _, err = run("verify", CLAIM, "--evidence", "photos")
    assert code == 2
    assert "logs" in err
