# wi4go: `make` builds everything into build/, laid out as an installation.
# It needs Go and a C compiler, but no MPI. It uses every core and prints one line for each
# file, with its number; V=1 prints the commands instead, and -s nothing.

ifneq ($(words $(CURDIR)),1)
$(error make cannot work in "$(CURDIR)", because the path has a space: move the tree)
endif

PREFIX  ?= /usr/local
VERSION := $(shell sed -n 's/.*define WI4GO_VERSION "\(.*\)"/\1/p' shim/front/version.h)
COMMIT  := $(shell git rev-parse --short=12 HEAD 2>/dev/null)
CC      ?= gcc
GO      ?= go
CFLAGS  ?= -O2 -g
LDFLAGS ?=
B       ?= build
MPI     := $(B)/lib/wi4go/mpi
CORE    := $(B)/lib/wi4go/libwi4go.so
COMMAND := $(B)/bin/wi4go
COMMA   := ,

CORES   := $(shell nproc 2>/dev/null || echo 1)
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(CORES)
endif
.DELETE_ON_ERROR:

# The bytes of a build do not depend on its directory. gcc takes the directory from PWD.
export PWD := $(CURDIR)
HERE := -ffile-prefix-map=$(CURDIR)=.
override CFLAGS += $(HERE)

# Begins a recipe that makes a file: $(call making,CC) prints the line and makes the directory. The line begins with its
# number. The first one starts a dry run in the background, which counts the lines and writes their number to $(TOTAL).
SILENT  := $(findstring s,$(firstword -$(MAKEFLAGS)))
making   = $(if $(COUNTING),: line &&,$(if $(V)$(SILENT),@,@$(call say,$(1),$(number));) mkdir -p $(@D) $(if $(V),; set -x,) &&)
say      = n=?; { read n <$(TOTAL); } 2>/dev/null; [ "$$n" = "?" ] || [ "$$n" -ge $(2) ] || n=$(2); printf '%9s %-8s %s\n' "[$(2)/$$n]" $(1) $@
number   = $(eval LINES += line)$(if $(word 2,$(LINES)),,$(shell $(count)))$(words $(LINES))
TOTAL   := $(B)/.total
count    = mkdir -p $(B); rm -f $(TOTAL); { env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL $(MAKE) -n $(MAKEOVERRIDES) COUNTING=yes $(counted) | \
	grep -c '^: line' >$(TOTAL).new; mv $(TOTAL).new $(TOTAL); } >/dev/null 2>&1 &
# The goals that the dry run builds: the tests and the demo need everything.
counted  = $(or $(filter $(PARTS) wrappers tree generate $(B)/%,$(MAKECMDGOALS)),all)

WARN     := -Wall -Wextra -Wno-unused-parameter
DEPFILE   = -MMD -MP -MF $(@:.o=.d)
# The flags that every shared library is linked with.
SHARED    = -shared -Wl,-z,noexecstack,-z,now,-z,relro,-z,defs,--hash-style=gnu $(LDFLAGS)

# `tree` is everything that gets installed: bin/wi4go, lib/wi4go, share. `wrappers` adds the
# commands of the MPI to compile with (mpicc, …) to build/bin.
PARTS := command pages core fronts fortran auditor probes interface verify dtpools suppressions calls dri modulefiles adi embedded documents
all: tree wrappers
tree: $(PARTS)
.PHONY: all tree wrappers generate $(PARTS)

# ---- the generated sources ----

# The generator writes a file only if its contents have changed, and writes nothing if it
# fails. Objects depend on the sources that they include. Make includes the generated rules
# of the families before it builds anything else, so by then the generator has run.
GENERATOR := $(wildcard mappers/*.h gen/*.go gen/*/*.go gen/header/bigmpi/* gen/front/templates/* mappers/*.go abi/*.go abi/*.json abi/*.exports internal/launchers/*.go internal/launchers/*.json cmd/wi4go-gen/*.go internal/verify/rules/*) funcs.json mappers.json go.mod
RULES     := $(B)/gen/rules.mk
generate: $(RULES)
$(RULES): private number = # the dry run needs the rules
$(RULES): private say = printf '%9s %-8s %s\n' "" $(1) $@
$(RULES): $(GENERATOR)
	$(call making,GEN) GOARCH= CGO_ENABLED=0 $(GO) run ./cmd/wi4go-gen -o $(@D) && touch $@

.SECONDEXPANSION:
include shim/front/front.mk shim/fortran/fortran.mk interface/interface.mk dri/dri.mk embedded/adi/adi.mk embedded/embedded.mk interface/static.mk bench/bench.mk verify/verify.mk packaging/packages.mk tests/tests.mk tests/variants.mk
# Targets that build nothing do not need the generated rules and the dependencies.
ifneq ($(filter-out clean install uninstall vet quick record,$(or $(MAKECMDGOALS),all)),)
include $(RULES)
-include $(sort $(OBJECTS:.o=.d))
endif

# ---- the plans of all calls, for `wi4go inspect --call` ----

CALLS := $(B)/share/wi4go/calls/.made
calls: $(CALLS)
$(CALLS): $(RULES)
	$(call making,GEN) GOARCH= CGO_ENABLED=0 $(GO) run ./cmd/wi4go-gen -calls $(@D) && touch $@

# ---- Go ----

# TAGS=wi4go_debug makes the core use the locks of go-deadlock, which detect deadlocks. TAGS=wi4go_static makes the command
# static, for machines without glibc: it then opens no MPI library to ask for its version.
# asyncpreemptoff: the core needs no preemption, and the program should not get its SIGURG.
# containermaxprocs, updatemaxprocs: it uses one core (shim/core/main.go), so it need not read the limits of the cgroup.
# The tag valgrind makes the Go runtime announce its stacks and heap to memcheck.
GO_SOURCES := $(filter-out %_test.go,$(shell find abi cmd handletable internal shim -name '*.go')) $(wildcard abi/*.json abi/*.exports internal/launchers/*.json handletable/*.[ch] shim/core/*) shim/front/core.h docs/embed.go docs/reference.md internal/verify/rules/tests.rules go.mod go.sum
core: $(CORE)
$(CORE): $(GO_SOURCES)
	$(call making,GO) $(GO) build -trimpath -tags valgrind,$(TAGS) -buildmode=c-shared -ldflags="-s -w -buildid= -X runtime.godebugDefault=asyncpreemptoff=1,containermaxprocs=0,updatemaxprocs=0 -extldflags=-Wl,-z,now,--version-script=$(CURDIR)/shim/core/exports.map" -o $@ ./shim/core \
		&& rm -f $(@:.so=.h) && chmod 755 $@ && touch $@

# The command names the commit in --version, so it is linked again after each commit. Its entry
# point checks the limit on address space before the Go runtime starts (cmd/wi4go/entry.go).
STAMP := $(B)/commit
$(if $(COMMIT),$(shell [ ! -e $(STAMP) ] || [ "$$(cat $(STAMP))" = $(COMMIT) ] || echo $(COMMIT) >$(STAMP)))
command: $(COMMAND)
$(COMMAND): $(GO_SOURCES) shim/front/version.h $(wildcard $(STAMP))
	$(call making,GO) CGO_ENABLED=0 $(GO) build -trimpath -tags '$(TAGS)' -ldflags="-s -w -buildid= -E main.entry -X main.version=$(VERSION) -X main.commit=$(COMMIT)" -o $@ ./cmd/wi4go \
		&& echo $(COMMIT) >$(STAMP) && touch $@

# The manual pages, and the completion scripts of each shell.
MAN         := $(B)/share/man/man1
COMPLETIONS := $(B)/share/bash-completion/completions/wi4go $(B)/share/zsh/site-functions/_wi4go $(B)/share/fish/vendor_completions.d/wi4go.fish
WI4GO       ?= $(COMMAND) # a wi4go that runs on this machine
pages: $(MAN)/wi4go.1 $(COMPLETIONS)
$(MAN)/wi4go.1: $(COMMAND)
	$(call making,MAN) $(WI4GO) man $(@D) && touch $@
$(COMPLETIONS): $(COMMAND)
	$(call making,SHELL) $(WI4GO) completion $(firstword $(filter bash zsh fish,$(subst -, ,$(subst /, ,$(@:$(B)/%=%))))) > $@

clean:
	rm -rf $(B)
.PHONY: clean
