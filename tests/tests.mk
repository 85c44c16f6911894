# Targets that run programs: the demo, the tests, the benchmarks.

# Runs go test without this make's variables, because some tests call make themselves.
GO_TEST := MAKEFLAGS= MFLAGS= MAKELEVEL= $(GO) test

# The environment of Open MPI's launcher: permission to run as root, and more ranks than cores.
MPI_ENV := OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
	PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe

# Runs an example on this machine's first MPI, or on the embedded MPI if there is none. It installs
# nothing. demo-both installs two MPIs, and runs a program of each on the other.
demo: all
	@mkdir -p $(B)/demo
	@$(B)/bin/mpicc -o $(B)/demo/hello tests/demo/hello.c
	@$(MPI_ENV) $(B)/bin/wi4go run -n 4 $(B)/demo/hello
demo-both: all
	tests/deps.sh mpi
	@mkdir -p $(B)/demo
	@. $(B)/deps.env; $$OPENMPI_BIN/$$OPENMPI_CC -o $(B)/demo/hello-openmpi tests/demo/hello.c
	@. $(B)/deps.env; $$MPICH_BIN/$$MPICH_CC -o $(B)/demo/hello-mpich tests/demo/hello.c
	@. $(B)/deps.env; $(MPI_ENV) $(B)/bin/wi4go run --to $$MPICH_BIN/$$MPICH_EXEC -n 2 $(B)/demo/hello-openmpi
	@. $(B)/deps.env; $(MPI_ENV) $(B)/bin/wi4go run --to $$OPENMPI_BIN/$$OPENMPI_EXEC -n 2 $(B)/demo/hello-mpich

# Moves more than 2^31 elements by every kind of large-count function, with an MPICH program
# on Open MPI 4.1. It takes two ranks, 10 GiB of memory, 4 GiB of disk, and a minute.
large: all
	tests/deps.sh mpi
	@mkdir -p $(B)/large
	@. $(B)/deps.env; $$MPICH_BIN/$$MPICH_CC -O2 -o $(B)/large/large tests/large/large.c
	@. $(B)/deps.env; cd $(B)/large; $(MPI_ENV) $(CURDIR)/$(B)/bin/wi4go run --to $$OPENMPI_BIN/$$OPENMPI_EXEC -n 2 ./large $(LARGE)

# Checks the formatting of the Go sources, and vets them.
vet:
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); echo "these files are not formatted: run gofmt -w on them" >&2; exit 1; }
	$(GO) vet ./... && $(GO) vet -tags wi4go_debug ./handletable

# Checks and vets, and runs the tests that need no MPI.
UNIT  := ./abi/... ./gen/... ./mappers/... ./handletable/... ./internal/... ./cmd/... ./shim/... ./c/... ./bench/... \
	$(addprefix ./tests/,exports docs headers times quick harness projects fake adi embedded embedded/hang embedded/launcher)
check: vet all
	WI4GO_TIER=test $(GO_TEST) $(UNIT)

# All packages, of which the longest start first (tests/times). Packages run at the same time, and so do the parallel
# tests of a package, because waiting ranks yield their core. There are more of them than cores, because some wait for
# most of their time. $(call tests,TIER,OPTIONS): build/test-times.TIER gets the times.
AT_ONCE := $(shell expr \( $(CORES) \* 3 + 1 \) / 2)
TIMES := MAKEFLAGS= MFLAGS= MAKELEVEL= GO=$(GO) $(GO) run ./tests/times
tests = . $(B)/deps.env; export $(MPI_ENV) WI4GO_TIER=$(1); $(TIMES) -o $(B)/test-times.$(1) $(2) -- -count=1 -p $(AT_ONCE) -timeout 60m

# Makes the last run of `make test-all` the recorded one: tests/times/record.txt, the table in docs/testing.md.
record:
	$(TIMES) -o $(B)/test-times.all -update

# Runs the tests that the changed files can break, without any MPI.
quick:
	@MAKEFLAGS= MFLAGS= MAKELEVEL= UNIT="$(UNIT)" $(GO) run ./tests/quick

# The tests that every change needs, those that CI runs, and those that take hours: see docs/testing.md.
test: all
	tests/deps.sh all
	$(call tests,test,)
test-all: all
	tests/deps.sh all
	$(call tests,all,)
nightly: all
	tests/deps.sh matrix
	tests/deps.sh all
	failed=; { $(call tests,all,-strict); } || failed=budget; { $(call tests,nightly,); } || failed="$$failed tests"; \
	for target in $(NIGHTLY); do $(MAKE) $$target || failed="$$failed $$target"; done; \
	test -z "$$failed" || { echo "failed: $$failed" >&2; exit 1; }
NIGHTLY := alone soak long-adi fuzz verify-all conformance matrix large projects packages

# The tests of the kernel's scheduling. Nothing else may use the cores.
alone: all
	. $(B)/deps.env; WI4GO_ALONE=1 $(GO_TEST) -count=1 -p 1 -v -run '^TestAlone' ./tests/adi ./tests/embedded

# Runs the abstract device for 100 million messages and 10 million sleeps. It takes 25 minutes.
long-adi: all
	. $(B)/deps.env; WI4GO_TIER=nightly $(GO) test -count=1 -v -timeout 0 ./tests/adi -run Long

# Runs all conformance programs in all six directions on 1, 2 and 4 ranks, and prints a table.
conformance: all
	tests/deps.sh matrix
	. $(B)/deps.env; $(GO) run ./tests/conformance/run --prefix $(B) --cache $(B)/conformance --from openmpi,mpich,wi4go --to openmpi,mpich,mpich-5.0-abi

# Runs all conformance programs, compiled for each of nine libraries and two standard ABIs, on
# each of these.
matrix: all
	tests/deps.sh matrix
	. $(B)/deps.env; $(GO) run ./tests/conformance/run --prefix $(B) --cache $(B)/conformance --from all --to all --within --ranks 1,2 --brief

# Creates and frees millions of handles, and runs half an hour of mixed traffic in each direction, with and without
# threads, and natively. SOAK='-parallel N' runs N directions at once (default: two). When started again, it skips the
# parts that have succeeded.
soak: all
	tests/deps.sh all
	. $(B)/deps.env; WI4GO_SOAK=whole $(GO_TEST) -count=1 -timeout 10h -v $(SOAK) ./tests/soak

# Makes a million random calls in each direction, natively and through wi4go, and over fake
# libraries.
fuzz: all
	tests/deps.sh all
	. $(B)/deps.env; $(MPI_ENV) WI4GO_FUZZ=1000000 $(GO_TEST) -count=1 -timeout 4h -parallel 6 -v -run "TestSequences|TestStaleHandles|TestCopiedRequests|TestRandomCalls" ./tests/fuzz ./tests/fake

# Runs `wi4go verify` for programs of every family on every installed library, and between
# Debian's two libraries with all pairs of layouts of each type.
verify-all: all
	tests/deps.sh matrix
	. $(B)/deps.env; WI4GO_VERIFY=all $(GO_TEST) -count=1 -timeout 6h -v -run TestAll ./tests/verify

# Makes the tables wrong in every role, one at a time; the tests must name each wrong place.
mutate: all
	$(GO_TEST) -count=1 -timeout 2h -v -run "TestWrong|TestFamilyOfOneFile" ./tests/fake

# Builds real projects with the wrappers, and runs their own tests.
projects: all
	tests/projects.sh

.PHONY: alone record demo demo-both large long-adi vet check quick test test-all nightly conformance matrix soak fuzz verify-all mutate projects
