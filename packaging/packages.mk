# Installs a build, and packs a build for every Linux.

# ---- environment modules, which find the tree by their own path ----

MODULEFILES := $(foreach m,wi4go wi4go-mpi,$(B)/share/wi4go/modulefiles/$(m)/$(VERSION))
modulefiles: $(MODULEFILES) $(MODULEFILES:=.lua)
$(MODULEFILES): $(B)/share/wi4go/modulefiles/%/$(VERSION): packaging/modules/%.tcl
	$(call making,CP) install -m 644 $< $@
$(MODULEFILES:=.lua): $(B)/share/wi4go/modulefiles/%/$(VERSION).lua: packaging/modules/%.lua
	$(call making,CP) install -m 644 $< $@

# ---- the documents, in the same places as here, and the licences of the software that is linked into the tree ----

DOC       := $(B)/share/doc/wi4go
DOCUMENTS := README.md LICENSE CHANGELOG.md RATIONALE.md dri/README.md dtpools/README.md $(wildcard docs/*.md)
documents: $(DOCUMENTS:%=$(DOC)/%) $(DOC)/licenses/index.txt
$(DOCUMENTS:%=$(DOC)/%): $(DOC)/%: %
	$(call making,CP) install -m 644 $< $@
$(DOC)/licenses/index.txt: packaging/licenses.sh $(COMMAND) $(CORE)
	$(call making,CP) GO="$(GO)" packaging/licenses.sh $(@D) $(COMMAND) $(CORE)

# `make install` builds nothing, so another user than the one who has built can run it. Only
# with WRAPPERS=yes does bin get the commands of the MPI to compile with.
WRAPPERS ?= no
install uninstall: export WI4GO_PREFIX  := $(PREFIX)
install uninstall: export WI4GO_DESTDIR := $(DESTDIR)
install:
	packaging/install.sh "$(B)" "$$WI4GO_PREFIX" "$(WRAPPERS)" "$$WI4GO_DESTDIR"
uninstall:
	packaging/uninstall.sh "$$WI4GO_DESTDIR$$WI4GO_PREFIX"
.PHONY: install uninstall

# ---- packages: from a build for every Linux with glibc 2.17 or later ----

ARCH     ?= $(shell uname -m)
GOARCH_x86_64 := amd64
GOARCH_aarch64 := arm64
PORTABLE := $(B)/portable/$(ARCH)
SYSROOT  := $(B)/sysroot/$(ARCH)
portable:
	packaging/sysroot.sh $(ARCH) $(SYSROOT)
	GOARCH=$(GOARCH_$(ARCH)) CGO_ENABLED=1 $(MAKE) tree B=$(PORTABLE) CC=$(CURDIR)/$(SYSROOT)/cc CFLAGS=-O2 LDFLAGS=-Wl,-s \
		WI4GO="env GOARCH= CGO_ENABLED=0 $(GO) run ./cmd/wi4go"
# Packs an archive that can be unpacked anywhere, and a Python wheel, with checksums.
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || stat -c %Y README.md)
dist: export SOURCE_DATE_EPOCH := $(SOURCE_DATE_EPOCH)
dist: portable
	@rm -f $(B)/dist/*-$(ARCH).tar.gz $(B)/dist/*_$(ARCH).whl
	packaging/dist.sh $(PORTABLE) $(VERSION) $(ARCH) $(B)/dist
	packaging/wheel.py $(PORTABLE) $(VERSION) $(ARCH) $(B)/dist
	cd $(B)/dist && rm -f SHA256SUMS && sha256sum -- * >../sums && mv ../sums SHA256SUMS
# Packs the .deb and the .rpm too.
native: export SOURCE_DATE_EPOCH := $(SOURCE_DATE_EPOCH)
native: dist
	@rm -f $(B)/dist/*_$(GOARCH_$(ARCH)).deb $(B)/dist/*.$(ARCH).rpm
	packaging/native.sh $(PORTABLE) $(VERSION) $(ARCH) $(B)/dist
	cd $(B)/dist && rm -f SHA256SUMS && sha256sum -- * >../sums && mv ../sums SHA256SUMS
# Runs the tests of the packages that need tools from the network, or minutes. CI does not run
# these tests.
packages: all
	tests/deps.sh packages
	. $(B)/deps.env; $(MPI_ENV) WI4GO_PACKAGES=1 $(GO) test -count=1 -timeout 1h -v ./tests/packages
.PHONY: portable dist native packages
