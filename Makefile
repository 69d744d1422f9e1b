# Everything a maintainer runs. Each target sets up what it needs in the checkout's own environment first.
#
#   make verify    hold the bundled implementation against the law, then check the sample session logs
#   make test      run every test of these packages
#   make prove     run the proofs, each with its negative control: under a quarter of an hour
#   make versions  the same on every supported Python that the machine has
#   make lint      style, types and import rules
#   make docs      build the site, warnings as errors
#   make deep      the long profiles: everything above with larger budgets
#   make bench     measure `check`, local times, tool calls and the live owner
#   make mutation  change law and implementation a little, thousands of times, and see that a test fails each time
#   make evidence  gather anew what stands behind each clause (Python 3.11)
#   make lock      compile requirements.lock anew (needs uv)
#
# Another interpreter: make test PYTHON=python3.13 VENV=.venv-3.13

VENV ?= .venv
PYTHON ?= $(shell tools/find-python)
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: verify test prove evidence mutation versions lint docs deep bench lock clean setup

verify: $(READY)
	$(BIN)/schedule-spec verify
	$(BIN)/schedule-spec check tests/data/sessions

test: $(READY)
	$(BIN)/python -m pytest --numprocesses=2 --dist=worksteal $(PYTEST_ARGS)

prove: $(READY)
	$(BIN)/schedule-spec prove $(PROVE_ARGS)

versions:
	@for version in 3.11 3.12 3.13; do \
	    python=$$(tools/find-python $$version); \
	    if [ -z "$$python" ]; then echo "Python $$version is not on this machine: not tested on it"; continue; fi; \
	    echo "Tests on Python $$version"; \
	    $(MAKE) --no-print-directory test PYTHON="$$python" VENV=.venv-$$version PYTEST_ARGS="$(PYTEST_ARGS)" || exit 1; \
	done

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(READY)
	$(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build/html
	@echo "The site is in docs/_build/html/index.html"

deep: $(READY)
	$(BIN)/schedule-spec verify --profile deep
	$(BIN)/schedule-spec verify --profile deep --sut law
	$(BIN)/python -m pytest --hypothesis-profile=deep
	$(BIN)/python -m tests.saboteurs.matrix
	$(BIN)/schedule-spec prove --deep
	$(BIN)/python -m proofs.broken
	$(BIN)/python -m tests.impl.live.kills --count 300
	$(BIN)/python -m tests.impl.live.full_medium --rounds 200

bench: $(READY)
	$(BIN)/schedule-spec bench check
	$(BIN)/schedule-spec bench local-time
	$(BIN)/schedule-spec bench tools
	$(BIN)/schedule-spec bench owner

evidence: $(READY)
	$(BIN)/python -m tools.make_evidence

mutation: $(READY)
	$(BIN)/python -m tests.mutation

lock:
	uv pip compile pyproject.toml --extra prove --group dev --group docs --universal --python-version 3.11 \
	    --generate-hashes --no-header --no-annotate --no-emit-index-url -o requirements.lock

setup: $(READY)

$(READY): requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "make: no Python 3.11 or newer was found; name one with PYTHON=…" >&2; exit 2; }
	@echo "Setting up $(VENV) with $(PYTHON) …"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

clean:
	rm -rf .venv .venv-* build dist docs/_build .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
