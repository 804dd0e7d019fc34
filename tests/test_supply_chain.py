"""What development and installations rest on: locked, hashed, licensed, and the same package from the same commit."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements-dev.lock"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def locked() -> dict[str, str]:
    """Package -> locked version. (A package may be locked twice, for different Pythons; the last one counts.)"""
    return {
        normal(match[1]): match[2]
        for match in re.finditer(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)", LOCK.read_text("utf-8"), re.MULTILINE)
    }


def test_every_requirement_is_locked_at_a_version_that_it_allows() -> None:
    project = PROJECT["project"]
    wanted = [
        *project["dependencies"],
        *project["optional-dependencies"]["charts"],
        *PROJECT["dependency-groups"]["dev"],
    ]
    versions = locked()
    for line in wanted:
        requirement = Requirement(line)
        assert requirement.specifier.contains(versions[normal(requirement.name)]), line


def test_every_locked_package_has_hashes_and_none_names_where_it_comes_from() -> None:
    text = LOCK.read_text("utf-8").replace("\\\n", " ")
    for line in text.splitlines():
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", line), line
    assert not re.search(r"://|index-url|find-links|trusted-host|@ ", text)


def test_the_licences_of_all_that_is_installed_are_listed_and_accepted() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts/licences.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


# ---- the package itself ----


def build(folder: Path) -> tuple[Path, Path]:
    """Wheel and sdist of the working tree."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True, env=environment)
    (wheel,) = folder.glob("*.whl")
    (sdist,) = folder.glob("*.tar.gz")
    return wheel, sdist


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return build(tmp_path_factory.mktemp("dist"))


@pytest.mark.slow
def test_the_same_tree_gives_the_same_bytes(built: tuple[Path, Path], tmp_path: Path) -> None:
    for first, second in zip(built, build(tmp_path), strict=True):
        assert first.name == second.name
        assert first.read_bytes() == second.read_bytes(), first.name


@pytest.mark.slow
def test_they_hold_what_they_need_and_nothing_else(built: tuple[Path, Path]) -> None:
    package = ROOT / "mlperf_claimcheck"
    own = {
        p.relative_to(ROOT).as_posix()
        for p in package.rglob("*")
        if p.is_file() and "__pycache__" not in p.parts and p.suffix != ".pyc"
    }
    with zipfile.ZipFile(built[0]) as wheel:
        names = {n for n in wheel.namelist() if ".dist-info/" not in n}
        assert names == own
        assert any(n.endswith(".dist-info/licenses/LICENSE") for n in wheel.namelist())
    with tarfile.open(built[1]) as sdist:
        inside = {m.name.partition("/")[2] for m in sdist.getmembers() if m.isfile()}
    assert own <= inside
    assert {
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "Makefile",
        "requirements-dev.lock",
        "tests/test_docs.py",
    } <= inside
    assert not {n for n in inside if re.search(r"(^|/)(\.venv|\.git|__pycache__|dist|\.hypothesis|\.coverage)", n)} - {
        ".gitignore"
    }


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_it_works_in_an_environment_that_holds_nothing_else(
    kind: str, built: tuple[Path, Path], tmp_path: Path
) -> None:
    """Its declared dependencies are enough, and it needs no file of the source tree."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    environment["MLPERF_CLAIMCHECK_CACHE_DIR"] = str(tmp_path / "cache")
    python = tmp_path / "env" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "env")], check=True)
    archive = built[0] if kind == "wheel" else built[1]
    subprocess.run([str(python), "-m", "pip", "install", "--quiet", str(archive)], check=True, env=environment)
    claims = tmp_path / "claims.yaml"
    claims.write_text(
        'claims:\n  - "GPT-OSS-120B on GB300 NVL72, MLPerf Inference v6.1 Offline: 16,635 tokens/s/GPU, CoreWeave"\n'
    )
    for command in (
        [str(python.with_name("mlperf-claimcheck")), "check", str(claims), "--offline"],
        [str(python), "-m", "mlperf_claimcheck", "check", str(claims), "--offline", "--format", "html", "-o", "x.html"],
    ):
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    assert "16,634.86" in (tmp_path / "x.html").read_text("utf-8")
