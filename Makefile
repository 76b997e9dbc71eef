# Every verb of the project. `make help` lists them.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

GO ?= go
ADDR ?= 127.0.0.1:8765
FUZZTIME ?= 20s
# 0 means one worker per processor
FUZZWORKERS ?= 0
CONFORMANCE := sim/conformance sim/conformance/types sim/electiontest/controllertest
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
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
WASM_BUILD = GOOS=js GOARCH=wasm $(GO) build -trimpath -buildvcs=false -pgo=$(CURDIR)/$(PROFILE) -gcflags=all=-l \
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
	$(GO) build -trimpath -buildvcs=false -pgo=$(PROFILE) $$([ -d $(BUILT_IN) ] && echo -tags site) -ldflags "-X main.revision=$$(git describe --always --dirty 2>/dev/null)" -o bin/leaselab ./sim/cmd/leaselab

.PHONY: bin/leaselab
bin/leaselab:
	@mkdir -p bin
	$(GO) build -trimpath -buildvcs=false -o $@ ./sim/cmd/leaselab

.PHONY: wasm
wasm: ## build the engine for the page, and the one with the operations that few visitors need
	@mkdir -p bin
	$(WASM_BUILD) -ldflags=-w -tags=page -o bin/engine.wasm ./wasm
	$(WASM_BUILD) -ldflags=-w -o bin/tools.wasm ./wasm

.PHONY: web/js/protocol.d.ts
web/js/protocol.d.ts: # the protocol of the engine for TypeScript, from the Go types; git ignores it
	@$(GO) run -trimpath ./wasm/declare > $@.new && mv $@.new $@

.PHONY: documents
documents: bin/leaselab web/js/protocol.d.ts # the files that the command generates for the page
	bin/leaselab scenarios -o whole > bin/scenarios.json
	bin/leaselab lessons -o whole > bin/lessons.json
	bin/leaselab lessons -o player > bin/player.json
	bin/leaselab opening > bin/opening.json
	rm -rf bin/stills && bin/leaselab stills bin/stills
	bin/leaselab schema > bin/scenario.schema.json
	bin/leaselab reference > bin/reference.json

.PHONY: site
ifdef SITE_BUILT # `make test` has built it, and changes nothing between its parts
site:
	@test -f web/dist/index.html
else
site: documents wasm npm ## build the page into web/dist (SITE_URL=https://…/: with canonical links, social card, site map)
	cd web && node build.mjs --budget
endif

.PHONY: release
release: site ## what a release has, into bin/release: the site as a zip, the command for six systems, checksums (VERSION=…)
	@VERSION="$(VERSION)" bash .ci/release

.PHONY: reproducible
reproducible: site ## build the site again in another folder and compare the bytes (FRESH=1: without caches)
	@bash .ci/reproducible

.PHONY: npm
npm: web/node_modules/.package-lock.json

web/node_modules/.package-lock.json: web/package.json web/package-lock.json
	cd web && npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

.PHONY: test
test: ## everything CI runs, with the time of each part
	@MAKE="$(MAKE)" bash .ci/parts lint test-go=240 conformance=120 test-arch test-wasm=120 test-web site e2e=300 reproducible test-page e2e-plain

.PHONY: test-go
test-go: ## Go tests, natively; go vet of the same files is in make lint
	$(GO) test -vet=off ./...

.PHONY: conformance
conformance: ## compare with real clients and types (kubectl and lightkube if installed)
	@mkdir -p bin && rm -f bin/conformance-*.log
	@$(MAKE) --no-print-directory -j 2 -O $(addprefix conformance-in-,controllertest programs clients types measured speed calls)
	@awk '/^not run: /{n++; sub(/^not run: /, ""); what = what "; " $$0} \
	  END {if (n) print "conformance: " n " not run: " substr(what, 3); else print "conformance: every test ran"}' bin/conformance-*.log

# Real clients and programs mostly wait: what compiles and computes runs beside them.
conformance-in-%:
	@cd sim/$(if $(filter controllertest,$*),electiontest,conformance)/$* && $(GO) test -vet=off -parallel 8 | tee $(CURDIR)/bin/conformance-$*.log

.PHONY: live
live: ## send the recorded requests to a real kube-apiserver: SERVER=https://… TOKEN=… (an administrator's)
	@cd sim/conformance && $(GO) run ./live --server "$(SERVER)" --token "$(TOKEN)"

.PHONY: incidents
incidents: bin/leaselab ## record 20 fresh incidents of real client-go electors against leaselab serve, in two minutes
	cd sim/conformance && $(GO) run ./incidents -leaselab $(CURDIR)/bin/leaselab -out $(CURDIR)/sim/evidence/testdata/fresh

.PHONY: test-arch
test-arch: ## the same traces and hashes on other instruction sets (amd64 only)
	@if [ "$$($(GO) env GOARCH)" = amd64 ]; then \
	  echo "GOAMD64=v3"; GOAMD64=v3 $(GO) test -vet=off -short ./core/... ./sim/world ./sim/recorded/... ./sim/judge/check ./sim/trace/transcript ./sim/timeline ./sim/lab; \
	  echo "GOARCH=386"; GOARCH=386 CGO_ENABLED=0 $(GO) test -vet=off -short ./core/... ./sim/world ./sim/recorded/... ./sim/judge/check ./sim/trace/transcript ./sim/timeline ./sim/lab; \
	else echo "not run: GOAMD64=v3 and GOARCH=386: this is not amd64"; fi

# The rooms that the page's two modules are built from, and those that hold them to the recordings, to golden traces and to what shipped scenarios expect.
PAGE_ROOMS = $$({ GOOS=js GOARCH=wasm $(GO) list -deps ./wasm; $(GO) list ./sim/recorded/... ./sim/trace/transcript ./sim/scenario/shipped; } | grep -E '^$(MODULE)/(core|sim)/' | sort -u)
# All rooms but those for programs on this machine: their watchdog needs a thread of its own.
ANYWHERE = $$($(GO) list ./core/... ./sim/... | grep -vE '/sim/(electiontest|programs)')
# go vet of the same files is in make lint; as they are for js, in test-wasm.
IN_NODE = GOOS=js GOARCH=wasm $(GO) test -vet=off -short -exec="node $(CURDIR)/web/module/run.mjs $(1) $(WASM_EXEC)"

.PHONY: test-wasm
test-wasm: ## Go tests of all that the page runs, as WebAssembly in node, with the passes of the page's engine
	GOOS=js GOARCH=wasm $(GO) vet ./wasm $(ANYWHERE)
	GOOS=js GOARCH=wasm $(GO) vet -tags=page ./wasm ./wasm/bridge
	@$(MAKE) --no-print-directory -j 2 -O test-wasm-rooms test-wasm-bridge

.PHONY: test-wasm-rooms test-wasm-bridge
test-wasm-rooms:
	$(call IN_NODE,) $(PAGE_ROOMS)
test-wasm-bridge:
	$(call IN_NODE,--whole) ./wasm/bridge

.PHONY: test-wasm-rest
test-wasm-rest: ## Go tests of the rooms that only the command has, as WebAssembly in node
	@echo "not run: sim/programs and sim/electiontest are for programs on this machine: a watchdog needs a thread of its own"
	$(call IN_NODE,) $$(printf '%s\n' $(ANYWHERE) | grep -vxF "$(PAGE_ROOMS)")

.PHONY: test-web
test-web: npm documents wasm ## unit tests of the page; malformed links, files and storage, and its memory
	cd web && npm test -- --test-concurrency=$$(getconf _NPROCESSORS_ONLN)

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

.PHONY: picture
picture: site chromium ## take the pictures of the built page: the README's, the social card, the icons
	cd web && CHROMIUM="$$(bash e2e/chromium.sh)" node picture.mjs

.PHONY: clip
clip: site chromium ## record the README's clip of the built page: web/clip.webp
	cd web && CHROMIUM="$$(bash e2e/chromium.sh)" node clip.mjs

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
firefox: site ## ten journeys through the built page in a real Firefox
	cd web && FIREFOX="$$(bash e2e/firefox.sh)" node --test e2e/firefox/journeys.mjs

.PHONY: test-long
test-long: test chromium firefox ## test, race detector, the command's rooms as WebAssembly, fuzzing, a fresh build, Firefox, all specs and the nightly ones in the browser itself, 200 deaths of the worker
	$(GO) test -race -short ./...
	$(MAKE) test-wasm-rest
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
fuzz: ## run every fuzz target for FUZZTIME (20s); the last line has the total
	@$(GO) run ./sim/testsupport/fuzzall -time $(FUZZTIME) -parallel $(FUZZWORKERS) . $(CONFORMANCE)

.PHONY: profile
profile: ## measure again what the compiler optimizes the command for: after a change to where its time goes
	$(GO) test ./sim/cmd/leaselab -run '^$$' -trimpath -bench Command -benchtime 1x -o bin/profile.test -cpuprofile $(CURDIR)/$(PROFILE)
	@rm -f bin/profile.test

.PHONY: golden
golden: ## rewrite the golden traces and hashes; review the diff before you commit it
	$(GO) test ./sim/trace/transcript ./sim/world -update

.PHONY: bench
bench: site chromium bench-wasm bin/leaselab ## measure speed natively, beside client-go and in Chromium; sizes, cold start, expensive requests
	$(GO) test -run '^$$' -bench Cost -benchtime 5x ./sim/testsupport/cost
	cd sim/conformance/speed && $(GO) test -pgo=$(CURDIR)/$(PROFILE) -skip ProgramInVirtualTime -figures -timeout 20m
	cd sim/conformance/speed && $(GO) test -run ProgramInVirtualTime -figures # without the profile, as a user's own test is compiled
	bin/leaselab bench --only study
	bin/leaselab bench --only import
	$(GO) test ./sim/study/shrink -run '^$$' -bench TwentyActs -benchtime 10x
	$(GO) test ./sim/study/hunt -run Figures -figures -v -timeout 40m
	cd web && CHROMIUM="$$(bash e2e/chromium.sh)" node bench/bench.mjs
	@$(MAKE) --no-print-directory web/lighthouse/node_modules/.package-lock.json
	cd web/lighthouse && CHROMIUM="$$(bash ../e2e/chromium.sh)" node lighthouse.mjs performance

.PHONY: bench-against
bench-against: bin/leaselab bench-wasm npm chromium ## compare the speed with another revision, in turns: REV=<revision>
	@rm -rf bin/against && git clone -q . bin/against && git -C bin/against checkout -q "$(or $(REV),$(error say which revision: make bench-against REV=…))"
	$(MAKE) -C bin/against bin/leaselab bench-wasm
	cd web && BENCH_AGAINST="$(CURDIR)/bin/against" CHROMIUM="$$(bash e2e/chromium.sh)" node bench/bench.mjs against

.PHONY: bench-wasm
bench-wasm: # the engine as a command, and with symbol names
	$(WASM_BUILD) -o bin/leaselab.wasm ./sim/cmd/leaselab
	$(WASM_BUILD) -tags=page -o bin/named.wasm ./wasm

.PHONY: lint
lint: npm web/js/protocol.d.ts ## check formatting and run the linters
	@out=$$(gofmt -l core sim wasm); if [ -n "$$out" ]; then echo "gofmt wants to change:"; echo "$$out"; exit 1; fi
	@for m in . $(CONFORMANCE); do (cd $$m && echo "$$m: go vet, staticcheck" && $(GO) vet ./... && $(GO) run $(STATICCHECK) ./...); done
	GOARCH=386 CGO_ENABLED=0 $(GO) vet ./core/... ./sim/...
	cd web && npm run lint

.PHONY: fmt
fmt: npm ## format everything
	gofmt -w core sim wasm
	cd web && npm run format

.PHONY: clean
clean: ## remove everything that make builds
	rm -rf bin $(BUILT_IN) web/dist web/node_modules web/lighthouse/node_modules web/test-results
