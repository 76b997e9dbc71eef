# Every verb of the project. `make help` lists them.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

GO ?= go
ADDR ?= 127.0.0.1:8765
FUZZTIME ?= 20s
FUZZWORKERS ?= $(shell getconf _NPROCESSORS_ONLN)
CONFORMANCE := sim/conformance sim/conformance/types sim/conformance/rbac sim/conformance/alerts sim/conformance/deployment sim/conformance/scorecard/elector sim/electiontest/controllertest
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
VALE := github.com/vale-cli/vale/v3/cmd/vale@v3.21.0
# The linters, the tests and the build share what is compiled, in any folder.
export GOFLAGS := $(strip $(filter-out -trimpath,$(GOFLAGS)) -trimpath)
WASM_EXEC = $(shell $(GO) env GOROOT)/lib/wasm/go_js_wasm_exec

# What the command spends its time on, for the compiler, which inlines and lays out by it: elections are 7 % faster natively, and 10 to
# 20 % in the page. Only what is built for use takes it: every package is compiled once more for it.
PROFILE := sim/cmd/leaselab/command.pgo

# The page's engine is built without inlining, except in the packages where the time goes: 5 % smaller and as fast. In ours the compiler
# also inlines the calls that make up 80 % of the profile's: all of them would be 20 KiB more.
MODULE := github.com/leaselab/leaselab
INLINED := runtime internal/runtime/... encoding/json slices math math/bits
HOT := $(addprefix $(MODULE)/,core/coordination core/elector core/random core/step core/storage core/wide sim/evidence sim/judge/check \
  sim/network sim/run sim/trace sim/world sim/world/fencing sim/world/process)
WASM_BUILD = GOOS=js GOARCH=wasm $(GO) build -buildvcs=false -pgo=$(CURDIR)/$(PROFILE) -gcflags=all=-l \
  $(foreach p,$(INLINED),-gcflags=$(p)=-d=pgoinline=0) $(foreach p,$(HOT),-gcflags=$(p)=-d=pgoinlinecdfthreshold=80)

.PHONY: help
help: ## list the verbs
	@grep -hE '^[a-z][a-z0-9-]*:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

# where the command finds the page to embed; git ignores it
BUILT_IN := sim/cmd/leaselab/dist

.PHONY: run
run: site ## build everything and serve the page (ADDR=127.0.0.1:8765)
	@bin/leaselab serve --addr $(ADDR) --site web/dist

.PHONY: build
build: ## build the command bin/leaselab, with the page in it if make site has built it
	@mkdir -p bin && rm -rf $(BUILT_IN)
	@if [ -f web/dist/index.html ]; then cp -r web/dist $(BUILT_IN); else echo "without the page: make site builds it"; fi
	$(GO) build -buildvcs=false -pgo=$(PROFILE) $$([ -d $(BUILT_IN) ] && echo -tags site) -ldflags "-X main.revision=$$(git describe --always --dirty 2>/dev/null)" -o bin/leaselab ./sim/cmd/leaselab

.PHONY: bin/leaselab
bin/leaselab:
	@mkdir -p bin
	$(GO) build -buildvcs=false -o $@ ./sim/cmd/leaselab

.PHONY: web/js/protocol.d.ts
web/js/protocol.d.ts: # the protocol of the engine for TypeScript, from the Go types; git ignores it
	@$(GO) run ./wasm/declare > $@.new && mv $@.new $@

.PHONY: wasm documents site
ifdef SITE_BUILT # `make test` has built them, and changes nothing between its parts
wasm documents:
site:
	@test -f web/dist/index.html
else
wasm: ## build the engine for the page, and the one with the operations that few visitors need
	@mkdir -p bin
	$(WASM_BUILD) -ldflags=-w -tags=page -o bin/engine.wasm ./wasm
	$(WASM_BUILD) -ldflags=-w -o bin/tools.wasm ./wasm

documents: bin/leaselab web/js/protocol.d.ts # the files that the command generates for the page
	bin/leaselab scenarios -o whole > bin/scenarios.json
	bin/leaselab scenarios --lessons -o whole > bin/lessons.json
	bin/leaselab opening > bin/opening.json
	rm -rf bin/stills && bin/leaselab stills bin/stills
	bin/leaselab schema > bin/scenario.schema.json
	bin/leaselab reference > bin/reference.json

site: documents wasm npm ## build the page into web/dist (SITE_URL=https://…/: with canonical links, social card, site map)
	cd web && node build.mjs $(if $(BUDGETS),--budget)
endif

# The version of the next release. Go reads it there, when a user's module requires controllertest, so it stands nowhere else.
COMPANION := sim/electiontest/controllertest
VERSION ?= $(shell awk '$$1 == "$(MODULE)" {print $$2}' $(COMPANION)/go.mod)

.PHONY: version
version: ## set the version of the next release (VERSION=v1.2.3)
	cd $(COMPANION) && $(GO) mod edit -require=$(MODULE)@$(VERSION)
	sed -i -E 's/(leaselab[@:])v[0-9]+\.[0-9]+\.[0-9]+/\1$(VERSION)/' web/docs/ci.md

.PHONY: release
release: site ## what a release has, into bin/release: the site, the command for six systems, the image, SBOMs, checksums
	@VERSION="$(VERSION)" bash .ci/release

.PHONY: test-release
test-release: ## the image, the action, and the files for package managers, from a small release
	@cd .github/release && $(GO) test -vet=off

.PHONY: test-released
test-released: release ## the same tests with what make release made
	cd .github/release && LEASELAB_RELEASE=$(CURDIR)/bin/release $(GO) test -vet=off -count=1

.PHONY: tag
tag: ## tag this commit as the release, once for each module that users require
	git tag $(VERSION)
	git tag $(COMPANION)/$(VERSION)

.PHONY: reproducible
reproducible: site ## build the site again in another folder and compare the bytes (FRESH=1: without caches)
	@bash .ci/reproducible

.PHONY: npm
npm: web/node_modules/.package-lock.json

web/node_modules/.package-lock.json: web/package.json web/package-lock.json
	cd web && npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

.PHONY: test
test: ## everything CI runs, with the time of each part: eight minutes on two slow cores
	@BUDGETS=1 MAKE="$(MAKE)" bash .ci/parts lint=60 test-go=150 conformance=80 site test-wasm=30 test-web=40 e2e=120 test-page=20 test-release=20

.PHONY: test-go
test-go: ## Go tests, natively; make test-long runs the cases that look at testing.Short, too
	$(GO) test -vet=off -short ./...
	@awk '/^func /{name = $$2; sub(/\(.*/, "", name)} \
	  /testing\.Short\(\)/{getline; if (/t\.Skip/) print "not run: " name ": a slow case; make test-long runs it"}' \
	  $$(grep -rl 'testing\.Short()' --include='*_test.go' core sim wasm | grep -v '^sim/conformance')

# Real clients and programs mostly wait: what compiles and computes runs beside them.
CLIENTS := controllertest programs clients calls scorecard
.PHONY: conformance conformance-long
conformance: ## compare with real clients (kubectl and lightkube if installed)
	@$(MAKE) --no-print-directory -j 2 -O CASES=-short $(addprefix conformance-in-,$(CLIENTS))
conformance-long: ## compare with every real client and type, and with client-go's measured distributions, memory and speed
	@$(MAKE) --no-print-directory -j 2 -O CASES='-timeout 60m' $(addprefix conformance-in-,$(CLIENTS) types rbac alerts deployment measured speed operators)

# The clients log thousands of lines: they are printed if a test fails.
conformance-in-%:
	@cd sim/$(if $(filter controllertest,$*),electiontest,conformance)/$* && \
	  out=$$($(GO) test -vet=off $(CASES) -parallel 9 -timeout 30m 2>&1) || { echo "$$out"; exit 1; }; grep -E '^(ok|not run: )' <<< "$$out"

.PHONY: live
live: ## send the recorded requests to a real kube-apiserver: SERVER=https://… TOKEN=… (an administrator's)
	@cd sim/conformance && $(GO) run ./live --server "$(SERVER)" --token "$(TOKEN)"

.PHONY: incidents
incidents: bin/leaselab ## record 20 fresh incidents of real client-go electors against leaselab serve, in two minutes
	cd sim/conformance && $(GO) run ./incidents -leaselab $(CURDIR)/bin/leaselab -out $(CURDIR)/sim/evidence/testdata/fresh

.PHONY: alerts
alerts: ## play the incidents through Prometheus' engine, and write web/docs/alerts.md and the table that it shows
	cd sim/conformance/alerts && $(GO) test -vet=off -run Tables . -update

SCORECARD := sim/conformance/scorecard
.PHONY: scorecard
scorecard: bin/leaselab $(SCORECARD)/testdata/node/node_modules/.package-lock.json ## score real electors in Go and Node.js, and write web/docs/scorecard.md, in twenty minutes
	cd $(SCORECARD)/elector && $(GO) build -buildvcs=false -o $(CURDIR)/bin/elector .
	cd sim/conformance && $(GO) run ./scorecard -leaselab $(CURDIR)/bin/leaselab -elector $(CURDIR)/bin/elector -page $(CURDIR)/web/docs/scorecard.md

$(SCORECARD)/testdata/node/node_modules/.package-lock.json: $(SCORECARD)/testdata/node/package-lock.json
	cd $(SCORECARD)/testdata/node && npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

# The rooms whose traces and hashes the platforms are compared by.
TRACES = ./core/... ./sim/world ./sim/testsupport/recorded/... ./sim/judge/check ./sim/run/transcript ./sim/timeline ./sim/lab
.PHONY: test-arch
test-arch: ## the same traces and hashes on other instruction sets (amd64 only)
	@if [ "$$($(GO) env GOARCH)" = amd64 ]; then \
	  echo "GOAMD64=v3"; GOAMD64=v3 $(GO) test -vet=off -short $(TRACES); \
	  echo "GOARCH=386"; GOARCH=386 CGO_ENABLED=0 $(GO) vet ./core/... ./sim/...; \
	  GOARCH=386 CGO_ENABLED=0 $(GO) test -vet=off -short $(TRACES); \
	else echo "not run: GOAMD64=v3 and GOARCH=386: this is not amd64"; fi

.PHONY: test-wasm
test-wasm: npm documents wasm ## the page's engine in node: the trace hash of every shipped scenario is the native one
	cd web && node --test module/testsupport/hashes.mjs

# All rooms but those for programs on this machine: their watchdog needs a thread of its own.
ANYWHERE = $$($(GO) list ./core/... ./sim/... | grep -vE '/sim/(electiontest|programs)')
IN_NODE = GOOS=js GOARCH=wasm $(GO) test -vet=off -short -exec="node $(CURDIR)/web/module/testsupport/run.mjs $(1) $(WASM_EXEC)"
.PHONY: test-wasm-long
test-wasm-long: npm ## the Go tests as WebAssembly in node, with the passes of the page's engine
	@echo "not run: sim/programs and sim/electiontest as WebAssembly: a watchdog needs a thread of its own"
	GOOS=js GOARCH=wasm $(GO) vet ./wasm $(ANYWHERE)
	GOOS=js GOARCH=wasm $(GO) vet -tags=page ./wasm ./wasm/bridge
	$(call IN_NODE,) $(ANYWHERE)
	$(call IN_NODE,--whole) ./wasm/bridge

.PHONY: test-web
test-web: npm documents wasm ## unit tests of the page; malformed links, files and storage, and its memory
	cd web && npm test

.PHONY: e2e
e2e: site headless ## the built page in a real Chromium
	cd web && CHROMIUM="$$(bash e2e/chromium.sh headless)" npm run e2e

.PHONY: test-page
test-page: site ## the command with the page in it
	@$(MAKE) --no-print-directory build
	$(GO) test -tags site ./sim/cmd/leaselab -run Page

.PHONY: lighthouse
lighthouse: site chromium web/lighthouse/node_modules/.package-lock.json ## Lighthouse on the page, a docs page and an embed: accessibility, best practices and SEO at least 95
	cd web/lighthouse && CHROMIUM="$$(bash ../e2e/chromium.sh)" node lighthouse.mjs

web/lighthouse/node_modules/.package-lock.json: web/lighthouse/package.json web/lighthouse/package-lock.json
	cd web/lighthouse && npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

.PHONY: shots
shots: site headless ## pictures of every view at every size, light and dark, in bin/shots
	cd web && CHROMIUM="$$(bash e2e/chromium.sh headless)" node e2e/pictures/shots.mjs

.PHONY: picture
picture: site chromium ## take the pictures of the built page: the README's, the social card, the icons
	cd web && CHROMIUM="$$(bash e2e/chromium.sh)" node e2e/pictures/picture.mjs

.PHONY: clip
clip: site chromium ## record the README's clip of the built page: web/clip.webp
	cd web && CHROMIUM="$$(bash e2e/chromium.sh)" node e2e/pictures/clip.mjs

.PHONY: e2e-plain
e2e-plain: documents wasm npm headless ## five specs on a page whose engine is Go's unmodified output
	cd web && node build.mjs --plain --out ../bin/plain | grep engine
	cd web && E2E_DIST=../bin/plain CHROMIUM="$$(bash e2e/chromium.sh headless)" npm run e2e -- --grep @plain

.PHONY: chromium
chromium:
	@bash web/e2e/chromium.sh > /dev/null

.PHONY: headless
headless:
	@bash web/e2e/chromium.sh headless > /dev/null

.PHONY: firefox
firefox: site ## five journeys through the built page in a real Firefox
	cd web && FIREFOX="$$(bash e2e/firefox.sh)" node --test e2e/firefox/journeys.mjs

.PHONY: test-long
test-long: test chromium firefox ## test and what takes longer: every Go case, other platforms, races, fuzzing, nightly specs, deaths, Firefox
	$(GO) test -vet=off ./...
	$(MAKE) conformance-long test-arch test-wasm-long e2e-plain reproducible test-released
	$(GO) test -race -short ./...
	$(GO) test ./sim/lab -long -timeout 30m
	$(GO) test ./sim/study/hunt -run Defaults -defaults 100000 -timeout 30m
	cd sim/conformance/types && $(GO) test -times 10 -timeout 60m
	$(MAKE) fuzz
	$(MAKE) reproducible FRESH=1
	cd web && LINES=500000 LINKS=500000 SESSIONS=450000 STORAGES=50000 SEED=$$RANDOM MEMORY_DAYS=90 MEMORY_STEPS=4000 node --test fuzz/*.test.mjs
	CHROMIUM="$$(bash web/e2e/chromium.sh)" node web/e2e/idle.mjs
	cd web && CHROMIUM="$$(bash e2e/chromium.sh)" NIGHTLY=1 npm run e2e
	$(MAKE) lighthouse
	cd web && CHROMIUM="$$(bash e2e/chromium.sh)" DEATHS=200 npm run e2e -- deaths

.PHONY: fuzz
fuzz: ## run every fuzz target for FUZZTIME (20s), and name those that failed
	@failed=; for m in . $(CONFORMANCE); do cd $(CURDIR)/$$m; \
	  while read -r pkg name; do echo "$$pkg $$name"; \
	    $(GO) test -vet=off -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 5x -parallel $(FUZZWORKERS) $$pkg || failed="$$failed $$name"; \
	  done < <($(GO) test -vet=off -list '^Fuzz' ./... | awk '/^Fuzz/ {names[n++] = $$1} /^ok/ {while (n) print $$2, names[--n]}'); \
	done; [ -z "$$failed" ] || { echo "fuzz: failed:$$failed"; exit 1; }

.PHONY: profile
profile: ## measure again what the compiler optimizes the command for: after a change to where its time goes
	$(GO) test ./sim/cmd/leaselab -run '^$$' -bench Command -benchtime 500000x -o bin/profile.test -cpuprofile $(CURDIR)/$(PROFILE)
	@rm -f bin/profile.test

.PHONY: golden
golden: ## rewrite the golden traces and hashes; review the diff before you commit it
	$(GO) test ./sim/run/transcript ./sim/world -update

.PHONY: bench
bench: site chromium bench-wasm ## measure speed natively, beside client-go and in Chromium; cold start, expensive requests
	$(GO) test -run '^$$' -bench Cost -benchtime 5x ./sim/testsupport/cost
	cd sim/conformance/speed && $(GO) test -pgo=$(CURDIR)/$(PROFILE) -skip ProgramInVirtualTime -figures -timeout 20m
	cd sim/conformance/speed && $(GO) test -run ProgramInVirtualTime -figures # without the profile, as a user's own test is compiled
	$(GO) test -pgo=$(CURDIR)/$(PROFILE) -run '^$$' -bench Sweep -cpu 1,2 ./sim/cmd/leaselab
	$(GO) test -pgo=$(CURDIR)/$(PROFILE) -run '^$$' -bench 'Audit|Search' ./sim/evidence ./sim/study/explore
	$(GO) test ./sim/study/shrink -run '^$$' -bench TwentyActs -benchtime 10x
	$(GO) test ./sim/study/hunt -run Figures -figures -v -timeout 40m
	cd web && CHROMIUM="$$(bash e2e/chromium.sh)" node bench/bench.mjs
	@$(MAKE) --no-print-directory web/lighthouse/node_modules/.package-lock.json
	cd web/lighthouse && CHROMIUM="$$(bash ../e2e/chromium.sh)" node lighthouse.mjs performance

.PHONY: bench-wasm
bench-wasm: # what measures the speed of the engine in the browser
	$(subst $(GO) build,$(GO) test -c,$(WASM_BUILD)) -o bin/speed.wasm ./sim/testsupport/speed

.PHONY: lint
lint: npm web/js/protocol.d.ts bin/staticcheck bin/vale ## check formatting, run the linters, and hold the prose
	@out=$$(gofmt -l core sim wasm .github); if [ -n "$$out" ]; then echo "gofmt wants to change:"; echo "$$out"; exit 1; fi
	@node .ci/width.mjs
	@for m in . $(CONFORMANCE) .github/release; do (cd $$m && echo "$$m: go vet, staticcheck" && $(GO) vet ./... && $(CURDIR)/bin/staticcheck ./...); done
	cd web && npm run lint
	@node .ci/prose.mjs

bin/staticcheck: Makefile
	@mkdir -p bin && GOBIN=$(CURDIR)/bin $(GO) install $(STATICCHECK) && touch $@

bin/vale: Makefile # it needs a C compiler
	@mkdir -p bin && GOBIN=$(CURDIR)/bin $(GO) install $(VALE) && touch $@

.PHONY: fmt
fmt: npm ## format everything
	gofmt -w core sim wasm .github
	cd web && npm run format

.PHONY: clean
clean: ## remove everything that make builds
	rm -rf bin $(BUILT_IN) web/dist web/node_modules web/lighthouse/node_modules web/test-results
