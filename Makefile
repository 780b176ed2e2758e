# Everything runs in .venv, which the first target makes from the pinned requirements, and makes anew when they change.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup simulate test lint format bench bench-solver rules-bench rules-bench-regenerate report pins hooks clean

BIN := .venv/bin
READY := .venv/.ready
PYTHON ?=
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

CONVENTION ?= piter
SEATS ?= 3
TARGET ?= 10
BOTS ?= club,novice,novice
PULKAS ?= 10000
SEED ?= 1
DEAL_LIMIT ?= 1000
VERSIONS ?=
PYTEST ?= -n auto --maxprocesses 4

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1: /p' $(firstword $(MAKEFILE_LIST))

setup: $(READY) ## make .venv with the pinned packages and the command `preferans`

$(READY): pyproject.toml requirements/core.txt requirements/dev.txt
	@good='import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))'; \
	if ! $(BIN)/python -c "$$good" 2>/dev/null; then \
		found=; \
		for python in $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11 python); do \
			if [ -z "$$found" ] && $$python -c "$$good" 2>/dev/null; then found=$$python; fi; \
		done; \
		if [ -z "$$found" ]; then \
			echo "make: no Python 3.11 or newer with its venv module was found (looked for: $(or $(PYTHON),python3 python3.14 … python3.11)); name one with PYTHON=/path/to/python3" >&2; \
			exit 1; \
		fi; \
		$$found -m venv --clear .venv; \
	fi
	$(PIP) install --requirement requirements/core.txt --requirement requirements/dev.txt
	$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

simulate: $(READY) ## play bots against each other and report (PULKAS=10000 BOTS=novice,random,random …)
	$(BIN)/preferans simulate --convention $(CONVENTION) --seats $(SEATS) --target $(TARGET) --bots $(BOTS) \
		--pulkas $(PULKAS) --seed $(SEED) --deal-limit $(DEAL_LIMIT)

test: $(READY) ## run the tests (PYTEST='-k raspas' for some)
	@# the rules are compiled once here, so that test processes running side by side load them instead of compiling twice
	@rm -rf build/warm
	@$(BIN)/preferans simulate --convention piter --seats 3 --bots novice,random,random --pulkas 3 --seed 1 --deal-limit 2 \
		--out build/warm --records 1 >/dev/null
	@$(BIN)/preferans replay build/warm/records.jsonl >/dev/null
	$(BIN)/python -m pytest $(PYTEST)

lint: $(READY) ## ruff, its formatter, mypy and the import rule
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache --no-logo

format: $(READY) ## let ruff mend and format the sources
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY) ## measure speed, with OpenSpiel as a yardstick where it can be installed
	@$(PIP) install --requirement requirements/bench.txt || echo "open_spiel cannot be installed here: measured without it"
	$(BIN)/python -m benchmarks.all

bench-solver: $(READY) ## measure the double-dummy solver
	$(BIN)/python -m benchmarks.solver

rules-bench: $(READY) ## check the rules against counts and digests of whole games
	$(BIN)/python -m benchmarks.rules

rules-bench-regenerate: $(READY) ## what the rules do NOW becomes what rules-bench compares with (VERSIONS=--same-versions: no version was raised)
	$(BIN)/python -m benchmarks.rules.regenerate $(VERSIONS)

report: $(READY) ## simulate, leave an HTML report in build/report and open it in a browser
	@$(PIP) install --requirement requirements/report.txt
	rm -rf build/report
	$(BIN)/preferans simulate --convention $(CONVENTION) --seats $(SEATS) --target $(TARGET) --bots $(BOTS) \
		--pulkas $(PULKAS) --seed $(SEED) --deal-limit $(DEAL_LIMIT) --out build/report --deals --records 100
	$(BIN)/preferans report build/report
	@command -v chromium >/dev/null || { apt-get update && apt-get install --yes chromium; } >build/chromium.log 2>&1 || \
		echo "no Chromium is here and none could be installed: the page is not opened in a browser"
	$(BIN)/python -m pytest tests/lab/test_report.py

pins: $(READY) ## resolve pyproject.toml anew into requirements/*.txt
	$(BIN)/python requirements/pin.py

hooks: $(READY) ## let git run the linters before each commit
	$(BIN)/pre-commit install

clean: ## remove .venv, build products and caches (never runs/)
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
