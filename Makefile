# Needs Python 3.11 or later with pip and venv, and make; nothing else.
# Another Python: make test PYTHON=python3.12

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip --disable-pip-version-check --quiet install

.DEFAULT_GOAL := help
.PHONY: help demo test lint format docs samples bench peers evaluate clean

help: ## show this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 16

demo: $(VENV)/installed ## diff two sample snapshots of a small fabric and write the report (INCIDENT=slow-host)
	@rm -rf demo-report
	@$(BIN)/ibforensic demo $(INCIDENT) --output demo-report || [ $$? -eq 1 ] # 1: suspects found, as they should be
	@ls demo-report/*.html >/dev/null

test: lint ## check style and types, then run all tests
	$(BIN)/python -m pytest

lint: $(VENV)/installed-dev ## check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/installed-dev ## bring the source into the agreed format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(VENV)/installed-dev ## write the documents that are made from the code
	$(BIN)/python docs/generate.py
	$(BIN)/python docs/languages.py

samples: $(VENV)/installed ## write the sample incidents anew, after a change to the simulator
	$(BIN)/python -c 'from pathlib import Path; from ibforensic.simulate.scenarios import write_samples; \
		write_samples(Path("samples"))'

bench: $(VENV)/installed-dev ## measure every budget of time and memory; write docs/performance.md
	$(BIN)/python -m bench.speed $(OPTIONS)

peers: $(VENV)/installed-dev ## compare with what ibqueryerrors and others tell; write docs/peers.md
	$(BIN)/python -m bench.peers $(OPTIONS)

evaluate: $(VENV)/installed-dev ## measure how often the verdict is right (OPTIONS="--quick --failures")
	$(BIN)/python -m bench.evaluate $(OPTIONS)

clean: ## remove the environment and everything that was built or cached
	rm -rf $(VENV) build dist demo-report .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamps are older than pyproject.toml when dependencies may have changed. The package is installed
# in editable mode, so that changed code needs no new installation.

$(VENV)/installed: pyproject.toml | $(BIN)/python
	$(PIP_INSTALL) --editable .
	@touch $@

$(VENV)/installed-dev: pyproject.toml | $(BIN)/python
	$(PIP_INSTALL) --editable '.[dev]'
	@touch $@ $(VENV)/installed

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or later is needed; name one: make PYTHON=python3.12" \
		if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
