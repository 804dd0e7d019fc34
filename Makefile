# `make demo` and `make test` each set up what they need on a machine with Python 3.11 or newer and make.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
CLI := $(BIN)/mlperf-claimcheck

.DEFAULT_GOAL := help

.PHONY: help demo test browser lint types check bench data docs clean

help: ## List the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 12

$(VENV)/.installed: pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	@$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	@$(BIN)/python -m pip install --quiet --group dev
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

lint: $(VENV)/.installed-dev ## Style and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(VENV)/.installed-dev ## Types
	$(BIN)/mypy

check: lint types test demo ## Everything that has to be green

bench: $(VENV)/.installed-dev ## Speed, as ratios against a bare import
	$(BIN)/python benchmarks/speed.py

data: $(VENV)/.installed-dev ## Rebuild the compiled names (and the bundled results when SOURCE is given)
	$(BIN)/python -m mlperf_claimcheck.vocabulary.build
	$(if $(SOURCE),$(BIN)/python -m mlperf_claimcheck.results.build $(SOURCE))

docs: $(VENV)/.installed ## Write the pages on codes anew from the catalogue of `explain`
	$(BIN)/python -m mlperf_claimcheck.cli.explain_pages docs/

clean: ## Remove the environment and caches
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
