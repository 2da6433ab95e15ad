# Two commands do everything on a fresh machine: `make reproduce` and `make test`.
PAPER ?= ge-on-gold
OUTPUTS ?= outputs
PY := .venv/bin/python
# A third of a flow test waits (for a server, a lock, a process), so one more than the cores.
SIDE_BY_SIDE := $(shell cores=$$(nproc 2>/dev/null || echo 2); echo $$((cores < 5 ? cores + 1 : 6)))
TESTS := $(PY) -m pytest tests -n $(SIDE_BY_SIDE) --dist loadfile --no-loadscope-reorder  # the long files come first: tests/flow

.PHONY: help setup link reproduce up test test-long check format lint types attack audit bench benchmark bench-digitise bench-described bench-gallery bench-intervals bench-scripted bench-live bench-kill bench-kills bench-explore bench-explore-kills bench-study-kills bench-goals bench-testbed bench-metal bench-tokens dossier faults lies lies-study lies-explore lies-attempts clean

help: ## Explain the commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

setup: ## Install what is missing: packages from the lock, Meep, bubblewrap
	@bash scripts/setup.sh

link: setup ## Put the command reprolab on your PATH: a link in ~/.local/bin
	@bash scripts/link.sh

reproduce: setup ## Reproduce a bundled paper (PAPER=ge-on-gold), no key needed; exit code 10 is partly reproduced
	@.venv/bin/reprolab reproduce $(PAPER) --outputs $(OUTPUTS)

up: setup ## Prefect's page, all deployments and a worker on this computer, until Ctrl-C (docs/guide/deployment.md)
	@.venv/bin/reprolab up --outputs $(OUTPUTS)

test: setup ## Run the test suite: every kind of check; further cases that take long: test-long
	@said=$$(mktemp); make --no-print-directory lint types >$$said 2>&1 & checks=$$!; \
	 $(TESTS) -m "not long"; failed=$$?; wait $$checks || failed=$$?; cat $$said; rm -f $$said; exit $$failed

test-long: setup ## Run the rest of the suite: real installations, more kills and replays, the longest simulations (README)
	@$(TESTS) -m long

attack: setup ## Attack it: every hostile case with what must hold and what happened, as a table
	@$(PY) -m tests.attacks

audit: setup ## Known vulnerabilities of the pinned packages, where pip-audit and an advisory source can be had (docs/reference/dependencies.md)
	@$(PY) scripts/audit.py

check: setup lint types ## Format, lint, types, import rules and the fast tests
	@$(PY) -m pytest tests -m "unit and not long"

format: setup ## Format every file (ruff; the same is checked by make lint) and fill the prose of docs to 140 columns
	@.venv/bin/ruff format --quiet .
	@$(PY) -m tests.unit.house.docs_width

lint: ## Format, lint and import rules
	@.venv/bin/ruff format --check --quiet . || { echo "some files are not formatted; fix: make format"; exit 1; }
	@.venv/bin/ruff check .
	@.venv/bin/lint-imports --no-logo 2>/dev/null || .venv/bin/lint-imports

types: ## Types, strict in every room (what is not yet: pyproject.toml)
	@.venv/bin/mypy --no-error-summary

bench: setup ## Measure the machinery's overhead, resume time, repeated run, memory
	@$(PY) -m benchmarks.run

benchmark: setup ## Replay every bundled paper: targets, uncertainties in parts, theory, CPU time, in one table
	@$(PY) -m benchmarks.reproduced

bench-scripted: setup ## Replay a recording of free scripts with two stages side by side against its baseline
	@$(PY) -m benchmarks.scripted

bench-described: setup ## Described simulations beside free scripts written by hand: CPU time at the same uncertainty
	@$(PY) -m benchmarks.described

bench-gallery: setup ## Figures of public tutorials and other problems nothing was tuned for: right or wrong, cost beside their scripts
	@$(PY) -m benchmarks.gallery

bench-intervals: setup ## How often the intervals of a study's tests hold a known truth (docs/measured/intervals.md)
	@$(PY) -m benchmarks.intervals --write

bench-testbed: setup ## Designs with published values by both solvers (TESTBED=folder, ONLY=part of a name)
	@$(PY) -m benchmarks.testbed "$(or $(TESTBED),.)" $(ONLY)

bench-metal: setup ## Thin slits in an ideal conductor, deep metal bars in TM: theory, Fourier modal method, Meep (docs/measured/metal-gratings.md)
	@OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 $(PY) -m benchmarks.metal_gratings --write

bench-digitise: setup ## Draw figures with known data and read them back: accepted, asked, wrong (docs/guide/digitise.md)
	@$(PY) -m benchmarks.digitise

bench-goals: setup ## Replay every recorded goal: nodes, best, grade, controls, the bundle's digest, CPU time (GOALS=name, TIMES=2)
	@$(PY) -m benchmarks.explored $(GOALS) --times $(or $(TIMES),1)

bench-live: setup ## A run over HTTP with 15 kinds of fault: numbers, calls and bill as the server counted
	@$(PY) -m benchmarks.live

bench-tokens: setup ## Model calls and characters of every bundled paper by stage, with today's prompts
	@$(PY) -m benchmarks.tokens

bench-kills: setup ## 50 kills at random moments: runs, servers, workers; nothing lost, repeated or changed
	@$(PY) -m benchmarks.kills

bench-explore: setup ## What a search costs beside its bare work: per node, per call of a tool, in tokens with and without caching
	@$(PY) -m benchmarks.explore_tokens
	@$(PY) -m benchmarks.explore_costs

bench-explore-kills: setup ## 20 kills at random moments of a live exploration; the same trees, nothing twice
	@$(PY) -m benchmarks.explore_kills

bench-study-kills: setup ## 20 kills at random moments of a live study; the same package, nothing bought twice
	@$(PY) -m benchmarks.study_kills

bench-kill: setup ## SIGKILL during a call, a retry wait, between calls: only open calls are made again
	@$(PY) -m benchmarks.kill

lies: setup ## Lies of a scripted model in every role, each a whole run; exit code 1 if one is not held (docs/measured/lies.md)
	@$(PY) -m tests.lies --write

dossier: setup ## Random descriptions of every scene beside exact values (docs/measured/dossier.md; an hour or two, goes on where it was; DOSSIER=options)
	@OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 $(PY) -m benchmarks.dossier --write $(DOSSIER)

faults: setup ## Honest mistakes of recorded descriptions, each a whole run: what notices them (docs/measured/faults.md; an hour)
	@$(PY) -m tests.faults --write

lies-attempts: setup ## Whole runs of what adversaries tried; exit code 1 if one comes to something else than is told (docs/measured/lies-attempts.md)
	@$(PY) -m tests.lies.attempts

lies-study: setup ## Lies of a scripted model against a study, in two whole runs (docs/measured/lies-study.md)
	@$(PY) -m tests.lies.study --write

lies-explore: setup ## Lies of a scripted model in every role of an exploration, in three whole runs (docs/measured/lies-explore.md)
	@$(PY) -m tests.lies.explore --write

clean: ## Remove outputs and the virtual environment
	@rm -rf .venv outputs
