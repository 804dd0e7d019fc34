# `make demo` and `make test` each set up what they need on a machine with Python 3.11 or newer and make.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
CLI := $(BIN)/mlperf-claimcheck

.DEFAULT_GOAL := help

.PHONY: help demo test browser test-slow coverage fuzz lint types check audit licences lock dist bench data docs clean

help: ## List the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 12

$(VENV)/.installed: pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	@$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed requirements-dev.lock
	@$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements-dev.lock
	@touch $@

demo: $(VENV)/.installed ## Install, then check the claims in claims/ offline on the bundled results
	$(CLI) check claims/ --offline

test: $(VENV)/.installed-dev ## Install, then run the tests
	$(BIN)/python -m pytest -n auto --dist loadgroup

# A pinned version: a newer one may find more.
AXE := axe-core@4.14.1
# It brings the published schema of SARIF 2.1.0 along, which is all that is taken of it.
SARIF := @microsoft/jest-sarif@1.0.0-beta.0

browser: ## Install what tests need beside Python: Chromium, axe-core, SARIF's schema (Debian, as root)
	@command -v chromium >/dev/null && command -v chromedriver >/dev/null || { apt-get update -qq && \
	  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
	  chromium chromium-driver fonts-dejavu-core >/dev/null; }
	@test -f node_modules/axe-core/axe.min.js || npm install --no-save --no-package-lock --silent $(AXE)
	@test -s node_modules/sarif-2.1.0.json || { \
	  npm pack --silent --pack-destination node_modules $(SARIF) >/dev/null && \
	  tar -xzOf node_modules/microsoft-jest-sarif-*.tgz package/lib/schemas/sarif-2.1.0-rtm.5.json \
	  > node_modules/sarif-2.1.0.json; }

test-slow: $(VENV)/.installed-dev ## Build wheel and sdist, install each by itself and run the main job
	$(BIN)/python -m pytest -m slow

coverage: $(VENV)/.installed-dev ## The tests with branch coverage; fails below 90%
	$(BIN)/python -m pytest -n 2 --cov --cov-report=term:skip-covered --cov-fail-under=90

FUZZ_CASES ?= 20000
FUZZ_SEED ?= 1
ENTRY ?=
fuzz: $(VENV)/.installed-dev ## Hostile inputs: FUZZ_CASES=200000 FUZZ_SEED=1 ENTRY="claim-text lint"
	cd tests && ../$(BIN)/python -m fuzz.long $(ENTRY) --cases $(FUZZ_CASES) --seed $(FUZZ_SEED)

lint: $(VENV)/.installed-dev ## Style and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(VENV)/.installed-dev ## Types
	$(BIN)/mypy

check: lint types test demo ## Everything that has to be green

audit: $(VENV)/.installed-dev ## Known weaknesses of the locked dependencies (asks the package index)
	@$(BIN)/python -m pip install --quiet --group audit
	$(BIN)/pip-audit --strict --require-hashes --disable-pip --requirement requirements-dev.lock

licences: $(VENV)/.installed-dev ## Write docs/licences.md
	$(BIN)/python scripts/licences.py

lock: $(VENV)/.installed-dev ## Resolve the dependencies of development anew into requirements-dev.lock
	@$(BIN)/python -m pip install --quiet --group lock
	$(BIN)/uv pip compile pyproject.toml --group dev --all-extras --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-annotate --no-header --upgrade --quiet --output-file requirements-dev.lock

dist: $(VENV)/.installed-dev ## Wheel and sdist in dist/, the same bytes for the same commit
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(BIN)/python -m build --no-isolation

bench: $(VENV)/.installed-dev ## Speed, as ratios against a bare import
	$(BIN)/python benchmarks/speed.py

data: $(VENV)/.installed-dev ## Rebuild the compiled names (and the bundled results when SOURCE is given)
	$(BIN)/python -m mlperf_claimcheck.vocabulary.build
	$(if $(SOURCE),$(BIN)/python -m mlperf_claimcheck.results.build $(SOURCE))

docs: $(VENV)/.installed ## Write the pages on codes anew from the catalogue of `explain`
	$(BIN)/python -m mlperf_claimcheck.cli.explain_pages docs/

clean: ## Remove the environment and caches
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
