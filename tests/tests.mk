# What runs programs: the demo, the tests, the benchmarks.

# Tests that call make are no part of this one.
GO_TEST := MAKEFLAGS= MFLAGS= MAKELEVEL= $(GO) test

# As root Open MPI's launcher asks for a confirmation.
MPI_ENV := OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

demo: all
	tests/deps.sh mpi
	@mkdir -p $(B)/demo
	@. $(B)/deps.env; $$OPENMPI_BIN/$$OPENMPI_CC -o $(B)/demo/hello-openmpi tests/demo/hello.c
	@. $(B)/deps.env; $$MPICH_BIN/$$MPICH_CC -o $(B)/demo/hello-mpich tests/demo/hello.c
	@. $(B)/deps.env; $(MPI_ENV) $(B)/bin/wi4go run --to $$MPICH_BIN/$$MPICH_EXEC -n 2 $(B)/demo/hello-openmpi
	@. $(B)/deps.env; $(MPI_ENV) $(B)/bin/wi4go run --to $$OPENMPI_BIN/$$OPENMPI_EXEC -n 2 $(B)/demo/hello-mpich

# More than 2^31 elements by every kind of large-count function, an MPICH program
# on Open MPI 4.1: two ranks, 10 GiB of memory and 4 GiB of disk, a minute.
large: all
	tests/deps.sh mpi
	@mkdir -p $(B)/large
	@. $(B)/deps.env; $$MPICH_BIN/$$MPICH_CC -O2 -o $(B)/large/large tests/large/large.c
	@. $(B)/deps.env; cd $(B)/large; $(MPI_ENV) $(CURDIR)/$(B)/bin/wi4go run --to $$OPENMPI_BIN/$$OPENMPI_EXEC -n 2 ./large $(LARGE)

# Formats, vets, and runs the tests that need no MPI.
UNIT  := ./abi/... ./gen/... ./mappers/... ./handletable/... ./internal/... ./cmd/... ./shim/... ./c/... ./bench/... ./tests/exports/...
check: all
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); echo "these files are not formatted: run gofmt -w on them" >&2; exit 1; }
	$(GO) vet ./... && $(GO) vet -tags wi4go_debug ./handletable
	$(GO_TEST) $(UNIT)

# Tests that need minutes of compiling or ranks begin first, so that the last ones are short.
# A package runs beside others, and its parallel tests beside each other: ranks that wait
# give their core up.
LONG  := fake order nulls conformance/suite fuzz fortran dri matrix packages launch real verify
TIMES := MAKEFLAGS= MFLAGS= MAKELEVEL= GO=$(GO) $(GO) run ./tests/times -o $(B)/test-times --
tests = . $(B)/deps.env; export $(MPI_ENV) WI4GO_TIER=$(1); \
	$(TIMES) -count=1 -p $(CORES) -timeout 60m $(LONG:%=./tests/%) $$($(GO) list ./... | grep -vxF "$$($(GO) list $(LONG:%=./tests/%))")

# What the changed files can break, without any MPI.
quick:
	@CORES=$(CORES) tests/quick.sh

# What every change needs, what CI runs, and what takes hours: see docs/testing.md.
test: all
	tests/deps.sh all
	$(call tests,test)
test-all: all
	tests/deps.sh all
	$(call tests,all)
nightly: all
	tests/deps.sh matrix
	tests/deps.sh all
	failed=; { $(call tests,nightly); } || failed=tests; \
	for target in $(NIGHTLY); do $(MAKE) $$target || failed="$$failed $$target"; done; \
	test -z "$$failed" || { echo "failed: $$failed" >&2; exit 1; }
NIGHTLY := soak fuzz verify-all conformance matrix large projects packages

# All programs in all six directions on 1, 2 and 4 ranks, as a table.
conformance: all
	tests/deps.sh matrix
	. $(B)/deps.env; $(GO) run ./tests/conformance/run --prefix $(B) --cache $(B)/conformance --from openmpi,mpich,wi4go --to openmpi,mpich,mpich-5.0-abi

# All programs, compiled for each of nine libraries and two standard ABIs, on each of them.
matrix: all
	tests/deps.sh matrix
	. $(B)/deps.env; $(GO) run ./tests/conformance/run --prefix $(B) --cache $(B)/conformance --from all --to all --within --ranks 1,2 --brief

bench: all
	tests/deps.sh all
	. $(B)/deps.env; $(GO) run ./bench --prefix $(B) $(BENCH)

# Other translation layers beside ours: those whose sources the variables PEER_MPI_ABI_WRAPPER,
# PEER_MUKAUTUVA, PEER_MPITRAMPOLINE with PEER_MPIWRAPPER, and PEER_WI4MPI name.
peers: all
	tests/deps.sh all
	. $(B)/deps.env; $(GO) run ./bench --prefix $(B) --peers $(BENCH)

# Handles by the million, and half an hour of mixed traffic in each direction, with
# and without threads, as many directions at once as SOAK='-parallel N' says (two)
# and natively beside them. Begun again, it goes on after what was right.
soak: all
	tests/deps.sh all
	. $(B)/deps.env; WI4GO_SOAK=whole $(GO_TEST) -count=1 -timeout 8h -v $(SOAK) ./tests/soak

# A million random calls in each direction, natively and through wi4go, and over
# fake libraries.
fuzz: all
	tests/deps.sh all
	. $(B)/deps.env; $(MPI_ENV) WI4GO_FUZZ=1000000 $(GO_TEST) -count=1 -timeout 4h -parallel 6 -v -run "TestSequences|TestStaleHandles|TestCopiedRequests|TestRandomCalls" ./tests/fuzz ./tests/fake

# Every library that is here under programs of every family, and between Debian's
# two each layout of each type with each other one.
verify-all: all
	tests/deps.sh matrix
	. $(B)/deps.env; WI4GO_VERIFY=all $(GO_TEST) -count=1 -timeout 6h -v -run TestAll ./tests/verify

# The tables made wrong in every role: the tests must name each place.
mutate: all
	$(GO_TEST) -count=1 -timeout 2h -v -run "TestWrong|TestFamilyOfOneFile" ./tests/fake

# Real projects, built with the wrappers, and their own tests.
projects: all
	tests/projects.sh

.PHONY: demo large check quick test test-all nightly conformance matrix bench peers soak fuzz verify-all mutate projects
