# wi4go: `make` builds everything into build/, laid out as an installation.
# It needs Go, a C compiler and nothing of any MPI. It uses every core, and prints a line
# for each file; V=1 shows the commands.

PREFIX  ?= /usr/local
VERSION := $(shell sed -n 's/.*define WI4GO_VERSION "\(.*\)"/\1/p' shim/front/version.h)
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

# The beginning of a recipe that makes a file: $(call making,CC).
SILENT  := $(findstring s,$(firstword -$(MAKEFLAGS)))
making   = $(if $(V)$(SILENT),@,@printf '  %-8s %s\n' $(1) $@;) mkdir -p $(@D) $(if $(V),; set -x,) &&

WARN     := -Wall -Wextra -Wno-unused-parameter
DEPFILE   = -MMD -MP -MF $(@:.o=.d)
# What each shared library is linked with.
SHARED    = -shared -Wl,-z,noexecstack,-z,now,-z,relro,-z,defs,--hash-style=gnu $(LDFLAGS)

# The tree is what is installed: bin/wi4go, lib/wi4go, share. In build/bin are the
# names of the MPI to compile with beside it.
all: tree wrappers
tree: command pages core fronts fortran auditor probes interface verify dtpools suppressions calls dri modulefiles
.PHONY: all tree wrappers generate fronts fortran auditor probes interface verify dtpools suppressions calls core command pages dri modulefiles

# ---- the generated sources ----

# The generator writes only files whose content has changed, and only if it has succeeded.
# Objects depend on the sources that they include, and make reads the rules of the families
# before anything else, so that the generator has run by then.
GENERATOR := $(wildcard mappers/*.h gen/*.go gen/*/*.go gen/header/bigmpi/* gen/front/templates/* mappers/*.go abi/*.go abi/*.json abi/*.exports cmd/wi4go-gen/*.go) funcs.json mappers.json go.mod
RULES     := $(B)/gen/rules.mk
generate: $(RULES)
$(RULES): $(GENERATOR)
	$(call making,GEN) GOARCH= CGO_ENABLED=0 $(GO) run ./cmd/wi4go-gen -o $(@D) && touch $@

.SECONDEXPANSION:
include shim/front/front.mk shim/fortran/fortran.mk interface/interface.mk dri/dri.mk verify/verify.mk packaging/packages.mk tests/tests.mk
# What builds nothing does without.
ifneq ($(filter-out clean install uninstall,$(or $(MAKECMDGOALS),all)),)
include $(RULES)
-include $(sort $(OBJECTS:.o=.d))
endif

# ---- what becomes of each call, for `wi4go inspect --call` ----

CALLS := $(B)/share/wi4go/calls/.made
calls: $(CALLS)
$(CALLS): $(RULES)
	$(call making,GEN) GOARCH= CGO_ENABLED=0 $(GO) run ./cmd/wi4go-gen -calls $(@D) && touch $@

# ---- Go ----

# TAGS=wi4go_debug: the locks of the core are go-deadlock's.
# asyncpreemptoff: the core needs no preemption, and the program no SIGURG.
# valgrind: memcheck is told of Go's stacks and heap.
GO_SOURCES := $(filter-out %_test.go,$(shell find abi cmd handletable internal shim -name '*.go')) $(wildcard abi/*.json abi/*.exports handletable/*.[ch] shim/core/*) shim/front/core.h go.mod go.sum
core: $(CORE)
$(CORE): $(GO_SOURCES)
	$(call making,GO) $(GO) build -trimpath -tags valgrind,$(TAGS) -buildmode=c-shared -ldflags="-s -w -X runtime.godebugDefault=asyncpreemptoff=1 -extldflags=-Wl,--version-script=$(CURDIR)/shim/core/exports.map" -o $@ ./shim/core \
		&& rm -f $(@:.so=.h) && chmod 755 $@ && touch $@

command: $(COMMAND)
$(COMMAND): $(GO_SOURCES) shim/front/version.h
	$(call making,GO) CGO_ENABLED=0 $(GO) build -trimpath -ldflags="-s -w -X main.version=$(VERSION)" -o $@ ./cmd/wi4go && touch $@

# The manual pages, and what completes command lines in each shell.
MAN         := $(B)/share/man/man1
COMPLETIONS := $(B)/share/bash-completion/completions/wi4go $(B)/share/zsh/site-functions/_wi4go $(B)/share/fish/vendor_completions.d/wi4go.fish
WI4GO       ?= $(COMMAND) # that this machine can run
pages: $(MAN)/wi4go.1 $(COMPLETIONS)
$(MAN)/wi4go.1: $(COMMAND)
	$(call making,MAN) $(WI4GO) man $(@D) && touch $@
$(COMPLETIONS): $(COMMAND)
	$(call making,SHELL) $(WI4GO) completion $(firstword $(filter bash zsh fish,$(subst -, ,$(subst /, ,$(@:$(B)/%=%))))) > $@

clean:
	rm -rf $(B)
.PHONY: clean
