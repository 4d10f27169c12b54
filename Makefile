# Two commands do all set-up on a fresh machine: `make run` and `make test`. CONTRIBUTING.md explains the others.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
SAMPLE ?= build/sample

.DEFAULT_GOAL := help
.PHONY: help setup setup-run setup-editors run editor test unit crash editors-test client-test lint format types docs bench package clean

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 24

# --- set-up (each step leaves a stamp, so running it again costs nothing) ---------------------------------------
$(VENV)/.run: requirements/run.txt pyproject.toml
	scripts/setup_python.sh $(PYTHON) $(VENV) requirements/run.txt
	@touch $@

$(VENV)/.dev: $(VENV)/.run requirements/dev.txt
	scripts/setup_python.sh $(PYTHON) $(VENV) requirements/dev.txt
	@touch $@

node_modules/.package-lock.json: package.json package-lock.json
	npm ci --no-audit --no-fund
	@touch $@

setup-run: $(VENV)/.run
setup: $(VENV)/.dev node_modules/.package-lock.json ## everything but the editors
setup-editors: ## VS Code (code-server), Chromium, Neovim, Emacs into a cache folder
	scripts/setup_editors.sh

# --- the product ------------------------------------------------------------------------------------------------
run: setup-run ## the main job on the sample project
	scripts/run_sample.sh $(SAMPLE)

editor: setup setup-editors ## a real VS Code on the sample project, with the extension
	scripts/open_editor.sh $(SAMPLE)

package: setup ## dist/memdir-<version>.vsix and the wheel
	scripts/build_vsix.sh

# --- checks -----------------------------------------------------------------------------------------------------
test: setup ## everything; what this machine can't run is listed and skipped (under CI=true a skip fails)
	scripts/run_tests.sh

unit: setup ## the fast tests only
	$(PY) -m pytest -m "not editor and not crash and not postgres and not bench"

lint: setup ## ruff, formatter, mypy, biome, tsc
	$(VENV)/bin/ruff check server tests scripts
	$(VENV)/bin/ruff format --check server tests scripts
	$(VENV)/bin/mypy
	npm run --silent lint
	npm run --silent typecheck

format: setup ## format everything
	$(VENV)/bin/ruff format server tests scripts
	$(VENV)/bin/ruff check --fix server tests scripts

docs: setup ## generate the rule pages, the settings page and the schema
	$(PY) scripts/generate_docs.py

bench: setup ## ratios to named baselines, measured side by side in one run
	$(PY) -m tests.bench.run

clean: ## remove what was built here (not the editors' cache)
	rm -rf build dist artifacts $(VENV) node_modules vscode-client/dist vscode-client/dist-test
