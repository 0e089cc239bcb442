.DEFAULT_GOAL := help
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
HOST ?= 0.0.0.0
PORT ?= 8000

$(STAMP): requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or newer is needed; '$(PYTHON)' is older. Try: make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null \
	  || { echo "Python cannot make virtual environments here. On Debian or Ubuntu: apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements.txt
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	@touch $@

.PHONY: setup run test test-fast test-browser browser check format bench messages lock help

setup: $(STAMP) ## make .venv with everything the app, its tests and its checks need

run: $(STAMP) ## start the app and print its address and QR code for a phone on this network
	@$(BIN)/scorekeeper serve --host $(HOST) --port $(PORT)

browser: $(STAMP) # find a Chromium for the browser tests, or install one, or say what is missing
	@$(BIN)/python tests/browser/chromium.py

test: $(STAMP) browser test-fast test-browser ## run every test, those in a real browser included

test-fast: $(STAMP) ## run the tests that need no browser
	$(BIN)/python -m pytest -q -n 2 -m "not browser"

test-browser: $(STAMP) browser ## run the tests that drive a real browser
	$(BIN)/python -m pytest -q -n 2 -m browser

check: $(STAMP) ## format, lint and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(STAMP) ## put the code in order
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(STAMP) ## measure how fast the engine is, and how many taps certainty takes
	$(BIN)/python -m pytest -q --benchmark-only --benchmark-enable
	$(BIN)/python -m tests.bench.taps
	@echo "What the app carries (docs/scale.md): $(BIN)/python -m bench.pages, bench.load, bench.growth, bench.writes, bench.live, bench.worst"

messages: $(STAMP) ## collect the words of the pages for translation (translations/es)
	$(BIN)/pybabel -q extract -F babel.cfg --no-location --sort-output -o $(VENV)/messages.pot .
	$(BIN)/pybabel -q update -i $(VENV)/messages.pot -d translations --no-fuzzy-matching --ignore-obsolete --width 120

lock: # make requirements.txt anew from the ranges in pyproject.toml (needs uv)
	uv pip compile --universal --generate-hashes --no-annotate --no-header --python-version 3.11 \
	  --extra postgres --group test --group dev pyproject.toml -o requirements.txt

help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 22
