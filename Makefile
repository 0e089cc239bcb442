.DEFAULT_GOAL := help
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
TOOLS := $(VENV)/.tools
HOST ?= 0.0.0.0
PORT ?= 8000
TRANSLATIONS := translations
MUTANTS := $(VENV)/mutants
# The tests start the app in dozens of processes: none compiles again what another has compiled.
unexport PYTHONDONTWRITEBYTECODE

$(STAMP): requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or newer is needed; '$(PYTHON)' is older. Try: make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null \
	  || { echo "Python cannot make virtual environments here. On Debian or Ubuntu: apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@# Python 3.11 puts setuptools into a new environment; nothing here needs it.
	@$(BIN)/python -m pip uninstall --quiet --yes setuptools 2>/dev/null
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements.txt
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	@touch $@

# Both locks, so that pip refuses tools that do not go with the app.
$(TOOLS): requirements-dev.txt $(STAMP)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements.txt -r requirements-dev.txt
	@touch $@

# Plug-ins that most tests do without; to load them takes three seconds.
NEEDLESS := -p no:playwright -p no:schemathesis -p no:anyio
# Each process takes tests that follow each other, so what a module sets up is set up once; who has nothing left takes
# from the others, so none is left with a long file in the end. Three processes on two cores: a browser waits for its
# server, and the server for its browser.
SHARED := -p no:anyio --dist worksteal
# The files that "make t" is to run, without the names of tests behind them.
T_FILES = $(foreach test,$(T),$(firstword $(subst ::, ,$(test))))

HOOK = $(shell git rev-parse --git-path hooks/pre-commit)

.PHONY: setup run quick t test test-all test-browsers browser check format format-check lint types scripts hooks \
  bench bench-app lighthouse mutants pictures by-ear hosts sentences \
  messages lock audit help

setup: $(TOOLS) ## make .venv with everything the app, its tests and its checks need

# The driver of PostgreSQL comes with the tools: the tests need it, and few who run the app.
run: $(if $(filter postgres%,$(DATABASE_URL)),$(TOOLS),$(STAMP)) ## start the app and print its address and QR code for a phone on this network
	@$(BIN)/scorekeeper serve --host $(HOST) --port $(PORT)

browser: $(TOOLS) # find a Chromium for the browser tests, or install one, or say what is missing
	@$(BIN)/python tests/browser/chromium.py

quick: $(TOOLS) ## run the quick tests: the rules, the order of the house, a walk through the pages (half a minute)
	@$(BIN)/python -m pytest -q $(NEEDLESS) -p no:hypothesispytest -n 2 --dist worksteal -m "not whole" \
	  tests/rules tests/house tests/web/test_smoke.py

t: $(TOOLS) ## run one file or folder of tests, and those of one name: make t T=tests/rules/test_cases.py K=matta
	@test -n "$(T)" || { echo "Name a test file: make t T=tests/rules/test_cases.py K=matta"; exit 1; }
	@$(BIN)/python -m pytest -q $(if $(shell grep -rlE 'playwright|schemathesis' $(T_FILES)),,$(NEEDLESS) -p no:xdist) \
	  $(if $(K),-k "$(K)") $(T)

test: $(TOOLS) browser ## run the tests of a change, a real browser included (six minutes)
	$(BIN)/python -m pytest -q $(SHARED) -n 3 -m "not whole"

# One process more: most of what it adds waits for a browser or a server.
test-all: $(TOOLS) browser ## run every test, the costly ones and those that repeat a rule included (a quarter of an hour)
	$(BIN)/python -m pytest -q $(SHARED) -n 4

test-browsers: $(TOOLS) browser ## play in WebKit and Firefox too, compare WebKit's layout with Chromium's (ALL=1: every picture)
	@$(BIN)/python -m tests.engines.packages
	$(BIN)/python -m pytest -q -n 2 -m engines tests/engines

check: format-check lint types scripts ## format, lint and types, of the scripts too

format-check: $(TOOLS)
	$(BIN)/ruff format --check .

lint: $(TOOLS)
	$(BIN)/ruff check .

types: $(TOOLS)
	$(BIN)/mypy

# Deno is one binary with a linter and TypeScript; it runs nothing here.
DENO = DENO_NO_UPDATE_CHECK=1 DENO_DIR=$(VENV)/deno $(BIN)/deno
scripts: $(TOOLS)
	$(DENO) lint --quiet static/js
	$(DENO) check --quiet static/js

hooks: ## let git check format, lint and types before each commit
	@test ! -e "$(HOOK)" || cmp -s .ci/pre-commit "$(HOOK)" || { echo "$(HOOK) is there already: left as it is"; exit 1; }
	@install -D .ci/pre-commit "$(HOOK)"

format: $(TOOLS) ## put the code in order
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# cosmic-ray has an environment of its own; it runs the tests in that of the app.
$(MUTANTS)/.installed: requirements-mutants.txt
	$(PYTHON) -m venv $(MUTANTS)
	$(MUTANTS)/bin/python -m pip install --quiet --require-hashes -r $<
	@touch $@

mutants: $(TOOLS) $(MUTANTS)/.installed ## change rules and store in many ways, name what no test notices: make mutants OF=scorekeeper/rules/match.py
	@$(BIN)/python -m tools.mutants $(MUTANTS)/bin $(or $(OF),scorekeeper/rules scorekeeper/store) $(if $(T),--tests $(T))

bench: $(TOOLS) ## measure how fast the engine is, and how many taps certainty takes (WRITE=1: into the README)
	$(BIN)/python -m bench.engine.speed $(if $(WRITE),--write)
	$(BIN)/python -m pytest bench/engine -q --benchmark-only --benchmark-enable
	$(BIN)/python -m bench.engine.half_known
	$(BIN)/python -m bench.engine.taps
	@echo "What the app carries (docs/scale.md): make bench-app, and $(BIN)/python -m bench.worst, bench.table_file, bench.brakes, bench.flood"

bench-app: $(TOOLS) # measure what the app carries, write it into docs/scale.md, hold the budgets; a quiet machine, and two hours
	$(BIN)/python -m bench --write $(if $(ONLY),--only $(ONLY)) $(if $(RUNS),--runs $(RUNS))

lighthouse: $(TOOLS) browser # let Lighthouse look at eight pages; LIGHTHOUSE= names its command (npm install lighthouse@12)
	@$(BIN)/python -m bench.lighthouse

pictures: $(TOOLS) browser ## take a picture of every page and state, light and dark, into pictures/
	$(BIN)/python -m tools.pictures

by-ear: $(TOOLS) ## play an evening with a screen reader (Orca, Firefox) by keys, and print what it says (ten minutes)
	@$(BIN)/python -m tools.by_ear

# Debian's HAProxy, Patroni, etcd and PostgreSQL 15; no test runs them.
hosts: $(TOOLS) ## kill a host, update one after the other, fail the database over, all under load (ONLY=kill, BEFORE=commit)
	@$(BIN)/python -m tools.hosts $(if $(ONLY),--only $(ONLY)) $(if $(BEFORE),--before $(BEFORE))

sentences: $(TOOLS) ## write every sentence of each language on one page, to be read through, into sentences/
	$(BIN)/python -m tools.sentences

# A territory (es_AR) has only what it says otherwise, so its catalogue is not filled up with the rest.
messages: $(STAMP) ## collect the words of the pages for translation (translations/es)
	$(BIN)/pybabel -q extract -F babel.cfg --no-location --sort-output -o $(VENV)/messages.pot .
	for language in $$(ls $(TRANSLATIONS) | grep -v _); do \
	  $(BIN)/pybabel -q update -l $$language -i $(VENV)/messages.pot -d $(TRANSLATIONS) \
	    --no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date --width 120 || exit 1; \
	done

# Pins stay as they are where the ranges in pyproject.toml allow them; to raise one, delete it first.
LOCK = uv pip compile --universal --generate-hashes --no-annotate --no-header --python-version 3.11
lock: # make all requirements files anew from the ranges in pyproject.toml (needs uv)
	$(LOCK) --group run pyproject.toml -o requirements.txt
	$(LOCK) --constraint requirements.txt --group test --group dev -o requirements-dev.txt
	$(LOCK) --group pyproject.toml:mutants -o requirements-mutants.txt

# Not in make check: the list of holes is on the network, and a new one is no fault of a change.
audit: ## look the pinned packages up in the list of known holes (needs uv and the network)
	uvx pip-audit --strict --disable-pip --require-hashes -r requirements.txt
	uvx pip-audit --strict --disable-pip --require-hashes -r requirements-dev.txt

help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 22
