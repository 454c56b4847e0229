# koikoi: `make run` plays, `make test` checks; both install what they need first. See README.md.
#
#   make            the program, build/koikoi         make bench        figures, as JSON lines
#   make run        install, build and play           make fuzz         every parser, TIME seconds each
#   make test       install, build, run every test    make asan, tsan   the tests under sanitizers
#   make lint       format, analysers, room checks    make cover        line coverage, with its floor
#   make docs-check what the pages promise holds      make refresh      takes their examples from the program
#   make transcripts  what players read, by language
#   make test-networks  against real peers, if any    make format       lays out the code
#   make thorough   tests with many points, at each   make mutate       one-line mutations and tests
#   make deb        a Debian package of it            make install      DESTDIR, PREFIX (/usr/local)
#   make dist       a tarball of the last commit
#   make soak       weeks of play under all faults, for SOAK=60 minutes
#   make crypto     encrypted rooms on Matrix: wants Rust
#   make puzzles        the collection of puzzles, N of them, from SEED
#   make deck-sheet     the cards of each deck on a sheet           make page-picture the page, for the README
#   make picture-sheets pictures of all kinds, in each language
#   make deps       Debian packages; FOR='lint fuzz'  make compile_commands.json    for editors
#
# Here are the program, its rooms and its installation. Tests and checks are in tests/tests.mk, the computer player's
# trained numbers in engine/player/nets.mk.

BUILD  ?= build
CC     := $(if $(filter default undefined,$(origin CC)),gcc,$(CC))
# Backtraces have their lines. For a debugger, DEBUG=-g has variables as well; it takes a fourth longer.
DEBUG  ?= -g1
# -O2 takes half as long again to compile, and no load of the benches is faster for it: the engine has a level of its own.
OPT    ?= -O1 $(DEBUG)
Q      := $(if $(V),,@)
SAN    ?=
TIME   ?= 20
# What sources call themselves to users.
VERSION := 0.2
# The commit and its time, of the clone or, in a tarball, of a file that git fills in.
COMMIT  := $(or $(COMMIT),$(filter-out $$%,$(shell if [ -e .git ]; then git log -1 --abbrev=8 --format='%h %ct'; else cat .version; fi 2>/dev/null)))
# A package of a later commit upgrades one of an earlier.
PACKAGED := $(VERSION)$(if $(word 2,$(COMMIT)),+$(shell date -u -d @$(word 2,$(COMMIT)) +%Y%m%d%H%M%S).$(firstword $(COMMIT)))
PREFIX ?= /usr/local

all:

# All cores, unless the caller said how many.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif

# ---- The rooms ------------------------------------------------------------------------------------
# Who may see whom, from the ground up. This table is the architecture; the compiler holds us to it: an #include of a
# room that is not seen is "file not found".
#
# A room sees itself and all rooms of the floors below; those of one floor do not see each other. The second argument
# narrows that: "only" the rooms behind the word, or all but ("not") them; ROOM/ is ROOM and the rooms in it.
# To remove a room, remove its name; to add one, put it on the lowest floor that has what it needs below it.
floor    = $(foreach r,$1,$(eval SEES_$r := $r $(call narrow,$2)))$(eval ROOMS := $1 $(ROOMS))
narrow   = $(call $(if $(filter only,$1),filter,filter-out),$(foreach n,$1,$(if $(filter %/,$n),$(n:/=) $n%,$n)),$(ROOMS))
ROOMS   :=
# A feature of the core is a folder, found by itself: its facts, its step, its effects. They may know each other's facts;
# its page.c is written with the parts of bot/core/present, its scene.c with those of bot/core/scene too.
FEATURES := $(filter-out %/text %/session %/step %/layout %/present %/scene,$(patsubst %/,%,$(wildcard bot/core/*/)))
GROUND   := bot/sys bot/port bot/base
GAME     := bot/core/ engine/

$(call floor,engine/rules)
$(call floor,engine/player)

$(call floor,bot/base,                                       only)
$(call floor,bot/port,                                       only bot/base)
$(call floor,bot/core/text,                                  only bot/port bot/base engine/rules)
$(call floor,bot/core/session)
$(call floor,bot/core/layout)
$(call floor,bot/core/step,                                  not bot/core/layout)
$(call floor,bot/core/present)
$(call floor,$(FEATURES),                                    not bot/core/layout bot/core/present)
$(foreach f,$(FEATURES),$(eval SEES_$f += $(filter-out $f,$(FEATURES))))
$(call floor,bot/core/scene)
# What a session keeps of two of them: vacations and quiet hours of its players, the ratings of their results.
$(foreach r,session layout step present,$(eval SEES_bot/core/$r += bot/core/absence bot/core/rating))

$(call floor,bot/sys,                                        only bot/base)
$(call floor,bot/net bot/store/db,                           only $(GROUND))
$(call floor,bot/store,                                      only bot/store/db $(GROUND))
$(call floor,bot/picture,                                    only bot/sys bot/core/layout bot/port bot/base engine/)
$(call floor,bot/formats,                                    only $(GAME) $(GROUND))
$(call floor,bot/outbox,                                     only bot/net bot/store bot/picture $(GROUND))
$(call floor,bot/analysis,                                   only bot/formats/ $(GAME) $(GROUND))
$(call floor,bot/inbox,                                      not bot/store/db bot/net bot/picture)
$(call floor,bot/web,                                        only bot/inbox bot/outbox bot/store bot/net bot/picture bot/formats $(GAME) $(GROUND))
$(call floor,bot/config,                                     only bot/store $(GROUND))
$(call floor,bot/loop,                                       only bot/config bot/web bot/inbox bot/outbox bot/store bot/net bot/picture $(GROUND))
$(call floor,bot/tools,                                      not bot/store/db)

# main.c and the commands wire everything. An adapter's file sees its own folder too, a file in adapters/NAME/x/ also
# adapters/NAME/. Tests see all of it, those of the engine the engine; GENERATED is for those that read what is made.
SEES_bot          := bot/tools $(SEES_bot/tools)
SEES_adapters     := bot/port bot/base
SEES_tests/engine := tests/engine $(filter engine/%,$(ROOMS))
SEES_tests        := tests tests/fake $(SEES_bot) bot/store/db tests/engine
GENERATED         := bot/port bot/sys tests

ADAPTERS := $(sort $(basename $(notdir $(wildcard adapters/*.c))) $(patsubst adapters/%/,%,$(sort $(dir $(wildcard adapters/*/*.c)))))

SOURCES  := $(foreach r,$(ROOMS),$(wildcard $(r)/*.c)) $(wildcard adapters/*.c adapters/*/*.c adapters/*/*/*.c)
OBJECTS  := $(SOURCES:%.c=$(BUILD)/%.o)
MAIN     := $(BUILD)/bot/main.o

PACKAGES := libcurl libcjson libsodium sqlite3 libpq libedit libmicrohttpd libutf8proc zlib
# Loaded when the first picture is drawn, not with the program.
LOADED   := librsvg-2.0 pangocairo cairo
PKG_LIBS  := $(shell pkg-config --libs $(PACKAGES) 2>/dev/null)
LIBS      := $(PKG_LIBS) -lpthread -lm
# A folder of headers is searched for each header of each source, so those of a few libraries are given to whom they serve.
pkg_cflags = $(shell pkg-config --cflags $1 2>/dev/null)
PKG_FLAGS  := $(call pkg_cflags,$(filter-out libpq libedit,$(PACKAGES)))
PQ_FLAGS   := $(call pkg_cflags,libpq)
EDIT_FLAGS := $(call pkg_cflags,libedit)
DRAW_FLAGS := $(call pkg_cflags,$(LOADED))
libraries_of = $(PKG_FLAGS) \
    $(if $(filter bot/store/db/% tests/store/% tests/fixture/%,$1),$(PQ_FLAGS)) \
    $(if $(filter adapters/terminal/%,$1),$(EDIT_FLAGS)) \
    $(if $(filter bot/picture/% tests/picture/% tests/golden/pictures_test.c tests/bench/%,$1),$(DRAW_FLAGS))
# The libraries that pkg-config does not find; asked for one by one only when it missed some.
LACKING    = $(foreach p,$(PACKAGES) $(LOADED),$(shell pkg-config --exists $p 2>/dev/null || echo $p))

WARN   := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat=2 -Werror
# Hardening, as far as the compiler has it; not for sanitizers and -O0.
has      = $(if $(shell $(CC) -Werror $1 -x c -c -o /dev/null /dev/null 2>/dev/null && echo yes),$1)
FORTIFY := $(shell echo __USE_FORTIFY_LEVEL | $(CC) -O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -include features.h -E -P -x c - 2>/dev/null | tail -n 1)
HARDEN  := $(if $(or $(SAN),$(findstring -O0,$(OPT))),,-fPIE -fstack-protector-strong $(call has,-fstack-clash-protection) $(call has,-fcf-protection) -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$(or $(filter 3,$(FORTIFY)),2))
ifneq ($(HARDEN),)
override LDFLAGS += -pie -Wl,-z,relro,-z,now,-z,noexecstack
endif
# Where a float is computed as a double (s390x), other moves would be chosen than elsewhere.
FLOATS  := $(if $(findstring s390x,$(shell $(CC) -dumpmachine 2>/dev/null)),-fexcess-precision=fast)
CFLAGS  = -std=c17 $(OPT) $(SAN) $(HARDEN) $(WARN) -D_GNU_SOURCE -DKOIKOI_VERSION='"$(VERSION)"' -include bot/base/banned.h -fno-common -ffp-contract=off $(FLOATS) -MMD -MP

room_of  = $(if $(filter adapters/%,$1),adapters,$(if $(filter tests/engine/%,$1),tests/engine,$(if $(filter tests/%,$1),tests,$(if $(filter bot/main.c,$1),bot,$(patsubst %/,%,$(dir $1))))))
# What the program is made of and no room holds: the list of sentences, for those who see the texts; other lists.
made     = $(if $(filter $(GENERATED),$1),$(BUILD)/gen) $(if $(filter bot/core/text,$(SEES_$1)),$(BUILD)/gen/text)
sees     = $(addprefix -I,$(SEES_$(call room_of,$1)) $(if $(filter bot/core/%/page.c bot/core/%/scene.c,$1),bot/core/present bot/core/layout) $(if $(filter bot/core/%/scene.c,$1),bot/core/scene) $(call made,$(call room_of,$1))) $(if $(filter adapters/%/,$(dir $1)),$(sort -I$(dir $1) -Iadapters/$(word 2,$(subst /, ,$1))/))

# ---- The program ----------------------------------------------------------------------------------
.PHONY: all libraries install clean flags-of compile_commands.json ALWAYS
all: $(BUILD)/koikoi

libraries:
	$(if $(and $(if $(LOADED),$(DRAW_FLAGS),none),$(PKG_FLAGS),$(PKG_LIBS)),,$(if $(shell command -v pkg-config),$(if $(LACKING),$(error Missing libraries (make deps installs them): $(strip $(LACKING)))),$(error pkg-config: not found; make deps installs it)))

$(BUILD)/koikoi: $(MAIN) $(OBJECTS)
	$(if $(V),,@echo '  link $@')
	$(Q)$(CC) $(SAN) $(LDFLAGS) -o $@ $^ $(LIBS)

# The engine is where time is measured in nanoseconds.
$(BUILD)/engine/%.o: OPT := -O3 $(DEBUG)

# Other flags make other objects.
BUILT_WITH := $(CC) $(CFLAGS) $(PKG_FLAGS) $(PQ_FLAGS) $(EDIT_FLAGS) $(DRAW_FLAGS)
$(BUILD)/gen/flags: ALWAYS
	@mkdir -p $(@D)
	@printf '%s\n' '$(subst ','\'',$(BUILT_WITH))' > $@.$$$$; cmp -s $@.$$$$ $@ && rm $@.$$$$ || mv $@.$$$$ $@

$(BUILD)/%.o: %.c $(BUILD)/gen/flags | libraries $(BUILD)/gen/adapters.inc $(BUILD)/gen/embedded.inc $(BUILD)/gen/text/text.def
	@mkdir -p $(@D)
	$(if $(V),,@echo '  cc   $<')
	$(Q)$(CC) $(CFLAGS) $(call sees,$<) $(call libraries_of,$<) -c -o $@ $<

# The registry: one line ADAPTER(name) for each file or folder found in adapters/.
$(BUILD)/gen/adapters.inc: $(wildcard adapters adapters/*)
	@mkdir -p $(@D)
	@printf '%s\n' $(patsubst %,'ADAPTER(%)',$(ADAPTERS)) > $@.$$$$; cmp -s $@.$$$$ $@ 2>/dev/null && rm $@.$$$$ && touch $@ || mv $@.$$$$ $@

# The list of all sentences, from the English catalogue. While the keys and their placeholders are the same, new words
# compile nothing but the copy of the catalogue.
$(BUILD)/gen/text/text.def: bot/core/text/text.awk config/texts/en.json
	@mkdir -p $(@D)
	@awk -f $^ > $@.$$$$ || { rm -f $@.$$$$; exit 1; }; cmp -s $@.$$$$ $@ && rm $@.$$$$ || mv $@.$$$$ $@

# What is embedded: FILE(symbol, name, path) for each file under config/rules, texts, decks and schema, lists of
# lines, and the picture of the accounts; then the files of pages, which bot/web/files.sh compresses and names by a hash of all.
EMBEDDED := $(sort $(patsubst config/%,%,$(wildcard config/rules/*.json config/texts/*.json config/decks/*/*.svg config/art/*.svg config/decks/profile.png config/schema/*.sql config/*.json config/*.jsonl)))
WEB_FILES := $(shell find config/web -type f | sort) $(wildcard config/decks/*/*.svg config/art/*.svg)
$(BUILD)/gen/web.inc: bot/web/files.sh $(WEB_FILES) $(shell find config/web -type d)
	@mkdir -p $(@D)
	@sh bot/web/files.sh $(BUILD)/gen/web > $@.$$$$ || { rm -f $@.$$$$; exit 1; }; mv $@.$$$$ $@
$(BUILD)/gen/commit: ALWAYS
	@mkdir -p $(@D)
	@echo '$(firstword $(COMMIT))' > $@.$$$$; cmp -s $@.$$$$ $@ && rm $@.$$$$ || mv $@.$$$$ $@
$(BUILD)/gen/embedded.inc: $(wildcard config/rules config/texts config/decks config/decks/* config/art config/schema) $(BUILD)/gen/web.inc Makefile
	@mkdir -p $(@D)
	@{ i=0; for f in $(EMBEDDED); do i=$$((i + 1)); echo "FILE(embedded_$$i, \"$$f\", \"config/$$f\")"; done; echo 'FILE(embedded_commit, "commit", "$(BUILD)/gen/commit")'; cat $(BUILD)/gen/web.inc; } > $@
$(BUILD)/bot/sys/embedded.o: $(BUILD)/gen/embedded.inc $(BUILD)/gen/commit $(addprefix config/,$(EMBEDDED))
$(BUILD)/engine/player/table_value.o: $(wildcard engine/player/nets/*.net)

run.now: $(BUILD)/koikoi
	@$(BUILD)/koikoi run

# End-to-end encryption on Matrix: the one part in Rust, found at run time beside the program. Nothing else needs cargo.
OLM := adapters/matrix/olm
.PHONY: crypto crypto-test
crypto: $(BUILD)/libkoikoi_olm.so
$(BUILD)/libkoikoi_olm.so: $(OLM)/Cargo.toml $(OLM)/Cargo.lock $(wildcard $(OLM)/src/*.rs)
	@command -v cargo >/dev/null || { echo "make crypto: cargo: not found; Rust 1.93 or newer builds it" >&2; exit 1; }
	@mkdir -p $(@D)
	$(Q)CARGO_TARGET_DIR=$(abspath $(BUILD))/olm cargo build --release --locked --manifest-path $(OLM)/Cargo.toml
	$(Q)install -m 755 $(BUILD)/olm/release/libkoikoi_olm.so $@
crypto-test:
	$(Q)CARGO_TARGET_DIR=$(abspath $(BUILD))/olm cargo test --release --locked --manifest-path $(OLM)/Cargo.toml

install: $(BUILD)/koikoi
	install -D -m 755 $(BUILD)/koikoi $(DESTDIR)$(PREFIX)/bin/koikoi
	if [ -e $(BUILD)/libkoikoi_olm.so ]; then install -D -m 755 $(BUILD)/libkoikoi_olm.so $(DESTDIR)$(PREFIX)/lib/koikoi/libkoikoi_olm.so; fi
	install -D -m 644 docker/koikoi.1 $(DESTDIR)$(PREFIX)/share/man/man1/koikoi.1
	install -D -m 644 config/koikoi.conf $(DESTDIR)$(PREFIX)/share/doc/koikoi/koikoi.conf
	install -D -m 644 LICENSE $(DESTDIR)$(PREFIX)/share/doc/koikoi/LICENSE

# A Debian package: build/koikoi_VERSION_ARCH.deb.
deb.now: $(BUILD)/koikoi
	+@sh docker/deb/build.sh $(BUILD) $(PACKAGED)

.PHONY: packaged
packaged:
	@echo $(PACKAGED)

# The sources of the last commit, which know it: build/koikoi-VERSION.tar.gz.
.PHONY: dist
dist:
	@mkdir -p $(BUILD)
	git archive --prefix=koikoi-$(VERSION)/ -o $(BUILD)/koikoi-$(VERSION).tar.gz HEAD

# What each source, or each FILE, is compiled with, for tools that read code: a line "FILE FLAGS".
FILE ?= $(SOURCES) bot/main.c
flags-of:
	$(foreach f,$(FILE),$(info $(strip $f $(filter-out -MMD -MP -g -DKOIKOI_VERSION=% $(HARDEN),$(CFLAGS)) $(call sees,$f) $(call libraries_of,$f))))@:

# For editors and tools that read it: what each source is compiled with.
quoted = $(subst ",\",$(subst \,\\,$1))
compile_commands.json: $(BUILD)/gen/adapters.inc $(BUILD)/gen/embedded.inc $(BUILD)/gen/text/text.def
	$(file >$@,[)
	$(foreach s,$(SOURCES) $(TESTS) bot/main.c,$(file >>$@,{"directory": "$(CURDIR)", "file": "$s", "command": "$(call quoted,$(CC) $(filter-out -MMD -MP,$(CFLAGS)) $(call sees,$s) $(call libraries_of,$s) -c $s)"}$(if $(filter bot/main.c,$s),,$(COMMA))))
	$(file >>$@,])
COMMA := ,

clean:
	rm -rf $(BUILD)

# ---- Debian packages ------------------------------------------------------------------------------
# `make deps` installs those that are missing, for the program and for the goals named in FOR.
# Of pictures: Latin and Cyrillic, Chinese and Japanese and Korean, the brush of the stamps.
FONTS := fonts-paratype fonts-droid-fallback fonts-aoyagi-kouzan-t
NEEDS := gcc libc6-dev pkg-config ca-certificates libcurl4-openssl-dev libcjson-dev libsodium-dev \
         libsqlite3-dev libpq-dev libedit-dev libutf8proc-dev libmicrohttpd-dev zlib1g-dev librsvg2-dev libpango1.0-dev libcairo2-dev \
         $(FONTS) tzdata
NEEDS_deb := dpkg-dev

.PHONY: deps
deps: WANTED = $(sort $(NEEDS) $(foreach g,$(FOR),$(NEEDS_$g)))
deps: APT := DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300
deps:
	@command -v dpkg-query >/dev/null || exit 0; \
	have=$$(dpkg-query -W -f '$${Package} $${db:Status-Status}\n' $(WANTED) 2>/dev/null | sed -n 's/ installed$$//p' | tr '\n' ' '); \
	missing=; for p in $(WANTED); do \
	    case " $$have" in *" $$p "*) ;; *) missing="$$missing $$p" ;; esac; \
	done; \
	[ -n "$$missing" ] || exit 0; \
	if [ "$$(id -u)" = 0 ]; then root=env; \
	elif command -v sudo >/dev/null; then root='sudo env'; \
	else echo "make deps: expected root or sudo, got neither; to install:$$missing" >&2; exit 1; fi; \
	echo "Installing:$$missing"; \
	{ $$root $(APT) update && $$root $(APT) install -y --no-install-recommends $$missing; } >&2 || \
	    { echo "make deps: apt-get could not install:$$missing" >&2; exit 1; }

# These goals install what they need. A second make then does the work, GOAL.now: its pkg-config knows what came.
SUITES := run deb

# An image is built from a copy without tests.
include $(wildcard tests/tests.mk engine/player/nets.mk bot/core/*/*.mk)

.PHONY: $(SUITES) $(SUITES:=.now)
$(SUITES):
	@$(MAKE) --no-print-directory deps FOR=$@
	@$(MAKE) --no-print-directory $@.now
# Two of them in one call share what they build, so they take turns.
ifneq ($(filter $(SUITES),$(MAKECMDGOALS)),)
.NOTPARALLEL:
endif

.SECONDARY:
-include $(OBJECTS:.o=.d) $(MAIN:.o=.d)
