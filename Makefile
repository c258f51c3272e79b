# Everything a fresh machine needs: Python 3.11 or later (with venv), make, git.
#
#   make demo      see it work          make test      the whole suite
#
# Variables, given on the command line: PYTHON (the interpreter that makes the environment), VENV (where it is made),
# PYTEST_ARGS (more arguments of pytest, such as -k), EXAMPLES (size of the long oracle run),
# ROUNDS (kills of the long crash test), BODIES (of the long fuzz run), SPANS (of the soak).

PYTHON ?= python3
VENV ?= .venv
PYTEST_ARGS ?=
EXAMPLES ?= 2000
ROUNDS ?= 200
BODIES ?= 50000
SPANS ?= 10000000

# Paths are relative and quoted, so that the checkout may lie in a path with spaces.
PY := "$(VENV)/bin/python"
PIP_INSTALL := PIP_BUILD_CONSTRAINT=constraints.txt $(PY) -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
# At most four workers: each loads DuckDB, which has threads of its own. A file stays with one worker, so that what its
# tests share is made once; files are dealt out in their order, because the slow ones are not the last.
PYTEST := $(PY) -m pytest -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder

# A stamp is as old as the last installation. Each set of requirements has its own, so that the demo needs no linters.
CORE := $(VENV)/.installed-core
TEST := $(VENV)/.installed-test
LINT := $(VENV)/.installed-lint
EXAMPLES_EXTRA := $(VENV)/.installed-examples

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL: # two installations into one environment would collide
.PHONY: help demo test frameworks lint lint-rules lint-format lint-types lint-floors bench soak oracle crash fuzz otelcol wheel clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' Makefile | awk -F ':.*## ' '{ printf "  make %-12s %s\n", $$1, $$2 }'

demo: $(CORE) ## the eight cases end to end: pipeline, spans, database, labels, cards
	"$(VENV)/bin/ragfault" demo

test: $(TEST) ## the whole suite
	$(PYTEST) $(PYTEST_ARGS)

frameworks: ## the examples with LangChain, LlamaIndex and Haystack, in an environment of their own
	@$(MAKE) --no-print-directory VENV="$(VENV)-frameworks" _frameworks

_frameworks: $(EXAMPLES_EXTRA)
	$(PY) -m pytest -m frameworks tests/examples $(PYTEST_ARGS)

lint: lint-rules lint-format lint-types lint-floors ## rules, format, types and import floors (make -k lint shows all)

lint-rules: $(LINT)
	$(PY) -m ruff check .

lint-format: $(LINT)
	$(PY) -m ruff format --check .

lint-types: $(LINT)
	$(PY) -m mypy

lint-floors: $(LINT)
	"$(VENV)/bin/lint-imports"

bench: $(TEST) ## the benchmarks, one after another; they print and assert nothing
	@for script in $(filter-out benchmarks/soak.py,$(wildcard benchmarks/*.py)); do echo "== $$script"; $(PY) "$$script" || exit 1; done

soak: $(TEST) ## ten million spans through the collector: memory and rate, million by million (SPANS=10000000)
	$(PY) benchmarks/soak.py --spans $(SPANS)

oracle: $(TEST) ## the fault tree against its independent oracle, long form (EXAMPLES=2000)
	RAGFAULT_ORACLE_EXAMPLES=$(EXAMPLES) $(PY) -m pytest tests/faults/test_tree.py --timeout 0 $(PYTEST_ARGS)

crash: $(TEST) ## kill -9 at fault points and at random, long form (ROUNDS=200)
	RAGFAULT_CRASH_ROUNDS=$(ROUNDS) $(PY) -m pytest tests/landing/crash tests/receiving/test_crash.py --timeout 0 $(PYTEST_ARGS)

fuzz: $(TEST) ## broken bodies against the receiver, long form (BODIES=50000)
	RAGFAULT_FUZZ_BODIES=$(BODIES) $(PY) -m pytest tests/receiving/test_fuzz.py --timeout 0 $(PYTEST_ARGS)

otelcol: $(TEST) ## build the OpenTelemetry Collector (cached in .cache/otelcol) and run its tests
	collector/build.sh
	$(PYTEST) -m otelcol $(PYTEST_ARGS)

wheel: $(TEST) ## build the wheel into dist/
	$(PY) -m build --wheel --no-isolation --outdir dist .

clean: ## remove the environment, what was built and every cache
	rm -rf "$(VENV)" "$(VENV)-frameworks" dist build ragfault-demo .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- the environment -----------------------------------------------------------------------------------------------

$(VENV)/bin/python:
	@command -v "$(PYTHON)" >/dev/null || { \
	  echo "make: $(PYTHON) was not found; Python 3.11 or later was wanted; install it, or name one: make PYTHON=/path/to/python" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "make: $$("$(PYTHON)" --version) was found; Python 3.11 or later was wanted; name one: make PYTHON=python3.11" >&2; exit 1; }
	@"$(PYTHON)" -m venv "$(VENV)" || { rm -rf "$(VENV)"; \
	  echo "make: $(PYTHON) cannot make an environment; the modules venv and ensurepip were wanted; on Debian: apt-get install python3-venv" >&2; exit 1; }

$(CORE): pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP_INSTALL) --editable .
	@touch "$@"

$(TEST): pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP_INSTALL) --editable '.[test]'
	@touch "$@" "$(CORE)"

$(EXAMPLES_EXTRA): pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP_INSTALL) --editable '.[examples]' pytest pytest-timeout
	@touch "$@" "$(CORE)"

$(LINT): pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP_INSTALL) --editable '.[lint]'
	@touch "$@" "$(CORE)"
