# koikoi: `make run` plays, `make test` checks; both install what they need first. See README.md.
#
#   make            the program, build/koikoi         make bench        figures, as JSON lines
#   make run        install, build and play           make fuzz         every parser, TIME seconds each
#   make test       install, build, run every test    make asan, tsan   the tests under sanitizers
#   make lint       format, analysers, room checks    make cover        line coverage, with its floor
#   make docs-check what the pages promise holds      make refresh      takes their examples from the program
#   make test-networks  against real peers, if any    make format       lays out the code
#   make mutate     one-line mutations and tests      make install      DESTDIR, PREFIX (/usr/local)
#   make soak       weeks of play under all faults, for SOAK=60 minutes
#   make deb        a Debian package of it
#   make crypto     encrypted rooms on Matrix: wants Rust
#   make puzzles        the collection of puzzles, N of them, from SEED
#   make deck-sheet     the cards of each deck on a sheet
#   make deps       Debian packages; FOR='lint fuzz'  make compile_commands.json    for editors

BUILD  ?= build
CC     := $(if $(filter default undefined,$(origin CC)),gcc,$(CC))
OPT    ?= -O2 -g
Q      := $(if $(V),,@)
SAN    ?=
TIME   ?= 20
# What sources call themselves to users.
VERSION := 0.1
PREFIX ?= /usr/local
# The formatter, and the files that it lays out.
CLANG_FORMAT := clang-format-14
FORMATTED    ?= *.[ch]

all:

# All cores, unless the caller said how many.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif

# ---- Debian packages ------------------------------------------------------------------------------
# `make deps` installs those that are missing, for the program and for the goals named in FOR.
NEEDS := gcc libc6-dev pkg-config ca-certificates libcurl4-openssl-dev libcjson-dev libsodium-dev \
         libsqlite3-dev libpq-dev libedit-dev libutf8proc-dev libmicrohttpd-dev librsvg2-dev libcairo2-dev \
         libpng-dev fonts-droid-fallback tzdata
NEEDS_test  := libcmocka-dev python3 binutils
NEEDS_asan  := $(NEEDS_test)
NEEDS_tsan  := libcmocka-dev
NEEDS_cover := $(NEEDS_test) gcovr
NEEDS_bench := libcmocka-dev
NEEDS_format := clang-format-14
NEEDS_lint  := libcmocka-dev clang-format-14 clang-tidy clang cppcheck
NEEDS_fuzz  := clang libclang-rt-14-dev
NEEDS_docs-check := python3 python3-jsonschema
NEEDS_mutate := $(NEEDS_test) git
NEEDS_deb := dpkg-dev
NEEDS_soak := python3 faketime
# Containers and servers for some of the networks alone. Node and Python may be here from elsewhere.
NEEDS_test-networks = $(if $(filter image deb,$(NETWORK)),buildah podman runc netavark debootstrap dpkg-dev lintian) \
                      $(if $(filter postgres cluster,$(or $(NETWORK),postgres)),postgresql pgbouncer libcmocka-dev) \
                      curl faketime $(if $(shell command -v npm),,nodejs npm) \
                      $(if $(shell python3 -c 'import ensurepip, venv' 2>/dev/null && echo yes),,python3-venv)

.PHONY: deps
deps: APT := DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0
deps:
	@command -v dpkg-query >/dev/null || exit 0; \
	missing=; for p in $(sort $(NEEDS) $(foreach g,$(FOR),$(NEEDS_$g))); do \
	    [ "$$(dpkg-query -W -f '$${db:Status-Status}' $$p 2>/dev/null)" = installed ] || missing="$$missing $$p"; \
	done; \
	[ -n "$$missing" ] || exit 0; \
	if [ "$$(id -u)" = 0 ]; then root=env; \
	elif command -v sudo >/dev/null; then root='sudo env'; \
	else echo "make deps: expected root or sudo, got neither; to install:$$missing" >&2; exit 1; fi; \
	echo "Installing:$$missing"; \
	{ $$root $(APT) update && $$root $(APT) install -y --no-install-recommends $$missing; } >&2 || \
	    { echo "make deps: apt-get could not install:$$missing" >&2; exit 1; }

# These goals install what they need. A second make then does the work, GOAL.now: its pkg-config knows what came.
SUITES := run test asan tsan cover fuzz bench lint format docs-check refresh test-networks mutate deb soak
.PHONY: $(SUITES) $(SUITES:=.now)
$(SUITES):
	@$(MAKE) --no-print-directory deps FOR=$@
	@$(MAKE) --no-print-directory $@.now
# Two of them in one call share what they build, so they take turns.
ifneq ($(filter $(SUITES),$(MAKECMDGOALS)),)
.NOTPARALLEL:
endif

# ---- The rooms ------------------------------------------------------------------------------------
# What each room may see. This table is the architecture; the compiler holds us to it: an #include of a
# room that is not listed is "file not found".
# An adapter's file sees its own folder too, and a file in adapters/NAME/x/ also adapters/NAME/.
# A row is ROOM := itself and those below it; a test sees what its room sees, and the fixtures.
ENGINE := engine/player/teacher engine/player engine/player/value engine/rules/notation engine/rules
CORE   := bot/core/present bot/core/present/part bot/core/layout bot/core/tutorial bot/core/puzzle bot/core/people bot/core/seek bot/core/operator bot/core/lobby/tournament bot/core/lobby bot/core/play bot/core/step bot/core/command bot/core/event bot/core/session bot/core/calendar bot/core/rating bot/core/tournament bot/core/text
FORMATS := bot/formats/puzzle bot/formats/view bot/formats/record bot/formats/ruleset bot/formats
FLOOR  := bot/port bot/base
SEES_engine/rules     := engine/rules
SEES_engine/rules/notation := engine/rules/notation engine/rules
SEES_engine/player/value := engine/player/value engine/rules
SEES_engine/player    := engine/player $(SEES_engine/player/value)
SEES_engine/player/teacher := engine/player/teacher $(SEES_engine/player)
SEES_bot/base         := bot/base
SEES_bot/port         := $(FLOOR) $(BUILD)/gen
SEES_bot/core/text    := bot/core/text $(FLOOR) engine/rules
SEES_bot/core/rating  := bot/core/rating
SEES_bot/core/tournament := bot/core/tournament bot/base
SEES_bot/core/calendar := bot/core/calendar bot/base
SEES_bot/core/session := bot/core/session bot/core/calendar bot/core/text $(FLOOR) $(ENGINE)
SEES_bot/core/event   := bot/core/event bot/core/session bot/core/calendar bot/core/rating bot/core/tournament bot/core/text $(FLOOR) $(ENGINE)
SEES_bot/core/command := bot/core/command bot/core/event bot/core/session bot/core/calendar bot/core/rating bot/core/tournament bot/core/text $(FLOOR) $(ENGINE)
SEES_bot/core/step    := bot/core/step bot/core/command bot/core/event bot/core/session bot/core/calendar bot/core/rating bot/core/tournament bot/core/text $(FLOOR) $(ENGINE)
SEES_bot/core/play    := bot/core/play $(SEES_bot/core/step)
SEES_bot/core/lobby   := bot/core/lobby $(SEES_bot/core/play)
SEES_bot/core/lobby/tournament := bot/core/lobby/tournament $(SEES_bot/core/lobby)
SEES_bot/core/seek    := bot/core/seek $(SEES_bot/core/lobby)
SEES_bot/core/operator := bot/core/operator $(SEES_bot/core/step)
SEES_bot/core/tutorial := bot/core/tutorial $(SEES_bot/core/step)
SEES_bot/core/puzzle  := bot/core/puzzle $(SEES_bot/core/step)
SEES_bot/core/layout  := bot/core/layout bot/core/session bot/core/calendar bot/core/text $(FLOOR) $(ENGINE)
SEES_bot/core/people  := bot/core/people $(SEES_bot/core/step)
SEES_bot/core/present/part := bot/core/present/part bot/core/layout $(SEES_bot/core/step)
SEES_bot/core/present := $(CORE) $(FLOOR) $(ENGINE)
SEES_bot/core/present/results := bot/core/present/results $(SEES_bot/core/present)
SEES_bot/sys          := bot/sys bot/base $(BUILD)/gen
SEES_bot/net          := bot/net bot/sys $(FLOOR)
SEES_bot/store/db     := bot/store/db bot/sys $(FLOOR)
SEES_bot/store        := bot/store $(SEES_bot/store/db)
SEES_bot/store/seek   := bot/store/seek $(SEES_bot/store)
SEES_bot/store/host   := bot/store/host $(SEES_bot/store)
SEES_bot/store/results := bot/store/results $(SEES_bot/store)
SEES_bot/store/vault  := bot/store/vault $(SEES_bot/store)
SEES_bot/vault        := bot/vault bot/store/vault bot/store bot/sys $(FLOOR)
SEES_bot/picture      := bot/picture bot/sys bot/core/layout $(FLOOR) $(ENGINE)
SEES_bot/formats      := bot/formats bot/sys $(CORE) $(FLOOR) $(ENGINE)
SEES_bot/formats/ruleset := bot/formats/ruleset $(SEES_bot/formats)
SEES_bot/formats/record := bot/formats/record $(SEES_bot/formats/ruleset)
SEES_bot/formats/view := bot/formats/view $(SEES_bot/formats/record)
SEES_bot/formats/puzzle := bot/formats/puzzle $(SEES_bot/formats/view)
SEES_bot/outbox       := bot/outbox bot/net bot/store bot/picture bot/sys $(FLOOR)
SEES_bot/analysis     := bot/analysis $(FORMATS) bot/sys $(CORE) $(FLOOR) $(ENGINE)
SEES_bot/results      := bot/results bot/store/results bot/store/seek bot/store $(FORMATS) bot/sys $(CORE) $(FLOOR) $(ENGINE)
SEES_bot/inbox        := bot/inbox bot/results bot/outbox bot/store/results bot/store/seek bot/store bot/analysis $(FORMATS) bot/sys $(CORE) $(FLOOR) $(ENGINE)
SEES_bot/inbox/tournament := bot/inbox/tournament $(SEES_bot/inbox)
SEES_bot/inbox/operator := bot/inbox/operator bot/store/host $(SEES_bot/inbox)
SEES_bot/config       := bot/config bot/store bot/sys $(FLOOR)
SEES_bot/loop         := bot/loop bot/config bot/inbox bot/outbox bot/vault bot/store bot/net bot/picture bot/sys $(FLOOR)
ALL    := bot/tools bot/loop bot/config bot/inbox bot/results bot/analysis bot/outbox $(FORMATS) bot/picture bot/vault bot/store/vault bot/store/host bot/store/results bot/store/seek bot/store bot/net bot/sys $(CORE) $(FLOOR) $(ENGINE)
SEES_bot/tools        := $(ALL)
SEES_bot              := $(ALL)
SEES_adapters         := $(FLOOR)
SEES_tests/engine     := tests/engine $(ENGINE)
SEES_tests            := tests tests/fake tests/engine $(ALL) bot/store/db $(BUILD)/gen

ROOMS    := $(ENGINE) bot/base bot/port $(CORE) bot/core/present/results bot/sys bot/net bot/store/db bot/store bot/store/host bot/store/results bot/store/seek bot/store/vault bot/vault bot/picture $(FORMATS) bot/outbox bot/analysis bot/results bot/inbox bot/inbox/operator bot/inbox/tournament bot/config bot/loop bot/tools
ADAPTERS := $(sort $(basename $(notdir $(wildcard adapters/*.c))) $(patsubst adapters/%/,%,$(sort $(dir $(wildcard adapters/*/*.c)))))

SOURCES  := $(foreach r,$(ROOMS),$(wildcard $(r)/*.c)) $(wildcard adapters/*.c adapters/*/*.c adapters/*/*/*.c)
OBJECTS  := $(SOURCES:%.c=$(BUILD)/%.o)
MAIN     := $(BUILD)/bot/main.o
TESTS    := $(sort $(shell find tests -name '*_test.c' 2>/dev/null))
TEST_BINS := $(TESTS:%.c=$(BUILD)/%)
# Shared by tests: every tests/**/*.c that is neither a *_test.c, a bench, a fuzz target nor a program of its own
# (of the fake networks, the one that lives inside a test is shared, and a program as well).
TEST_LIB := $(patsubst %.c,$(BUILD)/%.o,$(shell find tests -name '*.c' ! -name '*_test.c' ! -path 'tests/bench/*' ! -path 'tests/fuzz/*' ! -path 'tests/fake/telegram*' ! -path 'tests/fake/deals/*' ! -path 'tests/fake/*/main.c' 2>/dev/null))

PACKAGES := libcurl libcjson libsodium sqlite3 libpq libedit libmicrohttpd libutf8proc
# Loaded when the first picture is drawn, not with the program.
LOADED   := librsvg-2.0 cairo libpng
PKG_LIBS  := $(shell pkg-config --libs $(PACKAGES) 2>/dev/null)
LIBS      := $(PKG_LIBS) -lpthread -lm
PKG_FLAGS := $(shell pkg-config --cflags $(PACKAGES) $(LOADED) 2>/dev/null)
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
CFLAGS  = -std=c17 $(OPT) $(SAN) $(HARDEN) $(WARN) -D_GNU_SOURCE -DKOIKOI_VERSION='"$(VERSION)"' -include bot/base/banned.h -fno-common -ffp-contract=off -MMD -MP

room_of  = $(if $(filter adapters/%,$1),adapters,$(if $(filter tests/engine/%,$1),tests/engine,$(if $(filter tests/%,$1),tests,$(if $(filter bot/main.c,$1),bot,$(patsubst %/,%,$(dir $1))))))
sees     = $(addprefix -I,$(SEES_$(call room_of,$1))) $(if $(filter adapters/%/,$(dir $1)),$(sort -I$(dir $1) -Iadapters/$(word 2,$(subst /, ,$1))/))

.PHONY: all libraries install clean test-threads fuzz-run arena nets nets-policy nets-calls nets-rounds nets-plays nets-value ladder flags-of compile_commands.json
all: $(BUILD)/koikoi

libraries:
	$(if $(and $(PKG_FLAGS),$(PKG_LIBS)),,$(if $(shell command -v pkg-config),$(if $(LACKING),$(error Missing libraries (make deps installs them): $(strip $(LACKING)))),$(error pkg-config: not found; make deps installs it)))

$(BUILD)/koikoi: $(MAIN) $(OBJECTS)
	$(if $(V),,@echo '  link $@')
	$(Q)$(CC) $(SAN) $(LDFLAGS) -o $@ $^ $(LIBS)

# The engine is where time is measured in nanoseconds.
$(BUILD)/engine/%.o: OPT := -O3 -g

# Other flags make other objects.
BUILT_WITH := $(CC) $(CFLAGS) $(PKG_FLAGS)
$(BUILD)/gen/flags: ALWAYS
	@mkdir -p $(@D)
	@printf '%s\n' '$(subst ','\'',$(BUILT_WITH))' > $@.new; cmp -s $@.new $@ && rm $@.new || mv $@.new $@
.PHONY: ALWAYS

$(BUILD)/%.o: %.c $(BUILD)/gen/flags | libraries $(BUILD)/gen/adapters.inc $(BUILD)/gen/embedded.inc
	@mkdir -p $(@D)
	$(if $(V),,@echo '  cc   $<')
	$(Q)$(CC) $(CFLAGS) $(call sees,$<) $(PKG_FLAGS) -c -o $@ $<

# The registry: one line ADAPTER(name) for each file or folder found in adapters/.
$(BUILD)/gen/adapters.inc: $(wildcard adapters adapters/*)
	@mkdir -p $(@D)
	@printf '%s\n' $(patsubst %,'ADAPTER(%)',$(ADAPTERS)) > $@.new; cmp -s $@.new $@ 2>/dev/null && rm $@.new && touch $@ || mv $@.new $@

# What is embedded: FILE(symbol, path) for each file under config/rules, texts, decks and schema, badges, puzzles and the
# picture of the accounts.
EMBEDDED := $(sort $(patsubst config/%,%,$(wildcard config/rules/*.json config/texts/*.json config/decks/*/*.svg config/decks/profile.png config/schema/*.sql config/badges.json config/puzzles.jsonl)))
$(BUILD)/gen/embedded.inc: $(wildcard config/rules config/texts config/decks config/decks/* config/schema) Makefile
	@mkdir -p $(@D)
	@i=0; for f in $(EMBEDDED); do i=$$((i + 1)); echo "FILE(embedded_$$i, \"$$f\")"; done > $@
$(BUILD)/bot/sys/embedded.o: $(BUILD)/gen/embedded.inc $(addprefix config/,$(EMBEDDED))

# What was drawn is read back with the same library.
$(BUILD)/tests/picture/picture_test: LIBS += $(shell pkg-config --libs $(LOADED) 2>/dev/null)

# Golden chats deal the cards they ask for and see which sentences are made; nothing but these tests can.
$(BUILD)/tests/golden/golden_test $(BUILD)/tests/golden/newcomer_test: override LDFLAGS += -Wl,--wrap=outbox_push,--wrap=work_push,--wrap=chance_shuffle,--wrap=text_make,--wrap=embedded_find

# What tests share is taken from archives: a test gets what it asks for, and no more.
SHARED := $(BUILD)/tests/shared.a $(BUILD)/tests/engine.a
$(BUILD)/tests/engine.a: $(filter $(BUILD)/tests/engine/%,$(TEST_LIB))
$(BUILD)/tests/shared.a: $(filter-out $(BUILD)/tests/engine/%,$(TEST_LIB))
$(SHARED):
	@mkdir -p $(@D)
	@rm -f $@
	@ar rcs $@ $^

# The program without main.c, for tests: a linker takes from an archive what a test asks for. It only names the objects.
PROGRAM := $(BUILD)/koikoi.a
$(PROGRAM): $(OBJECTS)
	@rm -f $@
	@ar rcsT $@ $^
# A linker that takes a fourth of the time over 150 tests, where it is installed.
GOLD := $(if $(shell command -v ld.gold),-fuse-ld=gold)
link_test = $(if $(V),,@echo '  link $@')$(NEWLINE)$(Q)$(CC) $(SAN) $(LDFLAGS) $(GOLD) -o $@ $(filter %.o,$^) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group
define NEWLINE


endef
# A test is compiled faster than its optimised code would make up for, but for those that count positions.
$(BUILD)/tests/%.o: OPT := -O0 -g
$(BUILD)/tests/%.o: HARDEN := $(filter -fPIE,$(HARDEN))
$(BUILD)/tests/engine/%.o $(BUILD)/tests/bench/%.o $(BUILD)/tests/fake/%.o: OPT := -O2 -g

# A test of the engine is linked with the engine alone: that it can be is part of the test.
$(BUILD)/tests/engine/%_test: $(BUILD)/tests/engine/%_test.o $(filter $(BUILD)/engine/%,$(OBJECTS)) $(BUILD)/tests/engine.a
	$(link_test) -lcmocka -lm
$(BUILD)/tests/%_test: $(BUILD)/tests/%_test.o $(PROGRAM) $(SHARED)
	$(link_test) $(LIBS) -lcmocka

# A fake network is a program of its own: tests/fake/NAME/ with its folders becomes build/fake/NAME. It may use bot/base
# and what tests share. The load generator of Telegram stands on the server.
FAKE_telegram_load := $(filter-out %/main.c,$(wildcard tests/fake/telegram/*.c tests/fake/telegram/bot/*.c tests/fake/telegram/http/*.c))
FAKES := $(patsubst tests/fake/%/main.c,$(BUILD)/fake/%,$(wildcard tests/fake/*/main.c))
define FAKE_RULE
$1: $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/fake/$(notdir $1)/*.c tests/fake/$(notdir $1)/*/*.c) $(FAKE_$(notdir $1))) $(filter $(BUILD)/bot/base/%,$(OBJECTS)) $(SHARED)
	@mkdir -p $$(@D)
	$(if $(V),,@echo '  link $$@')
	$(Q)$(CC) $(SAN) $(LDFLAGS) -o $$@ $$^ $(LIBS)
endef
$(foreach f,$(FAKES),$(eval $(call FAKE_RULE,$f)))

# The daemon with a first deal that is void, for stories that have to live with one.
$(BUILD)/fake/koikoi_void: $(MAIN) $(OBJECTS) $(BUILD)/tests/fake/deals/void.o
	@mkdir -p $(@D)
	$(if $(V),,@echo '  link $@')
	$(Q)$(CC) $(SAN) $(LDFLAGS) -Wl,--wrap=chance_shuffle -o $@ $^ $(LIBS)

# Every test program and every terminal script; ends with one line that counts all of them. The benches are compiled
# beside them, so that a changed interface is noticed here.
BENCHES := $(sort $(wildcard tests/bench/*.c tests/bench/train/*.c))
test.now: $(BUILD)/koikoi $(TEST_BINS) $(BENCHES:%.c=$(BUILD)/%.o)
	@sh tests/run.sh $(BUILD) $(TEST_BINS) $(if $(HARDEN),tests/hardened.sh)

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
	+@sh docker/deb/build.sh $(BUILD) $(VERSION)

# ---- More checks ----------------------------------------------------------------------------------
asan.now:
	@$(MAKE) --no-print-directory BUILD=build/asan OPT='-O1 -g -fno-omit-frame-pointer' \
	    SAN='-fsanitize=address,undefined -fno-sanitize-recover=all' test.now

# Threads are in the worker pool only, and whatever starts it.
tsan.now:
	@$(MAKE) --no-print-directory BUILD=build/tsan OPT='-O1 -g' SAN=-fsanitize=thread test-threads
test-threads: $(filter %/work_test %/loop_test,$(TEST_BINS))
	@sh tests/run.sh none $^

COVERED := engine bot/core
cover.now:
	@find build/cover -name '*.gcda' -delete 2>/dev/null || true
	@$(MAKE) --no-print-directory BUILD=build/cover OPT='-Og -g' SAN=--coverage test.now
	@gcovr -r . --object-directory build/cover $(addprefix -f ,$(addsuffix /,$(COVERED))) \
	    --exclude-unreachable-branches --fail-under-line 95 -o build/cover/lines.txt; \
	    r=$$?; sed -n '/^[a-zT].*[0-9]%/p' build/cover/lines.txt | cut -c 1-80; exit $$r

FUZZERS := $(sort $(wildcard tests/fuzz/*.c))
fuzz.now:
	@$(MAKE) --no-print-directory BUILD=build/fuzz CC=clang OPT='-O1 -g' \
	    SAN='-fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all' fuzz-run
$(BUILD)/tests/fuzz/%: $(BUILD)/tests/fuzz/%.o $(OBJECTS)
	$(if $(V),,@echo '  link $@')
	$(Q)$(CC) -fsanitize=address,undefined,fuzzer -o $@ $^ $(LIBS)
fuzz-run: $(FUZZERS:%.c=$(BUILD)/%)
	@sh tests/fuzz.sh $(BUILD) $(TIME) $^

# SMOKE=1: each once and short, to see that they run.
$(BUILD)/tests/bench/%: $(BUILD)/tests/bench/%.o $(OBJECTS) $(SHARED)
	$(if $(V),,@echo '  link $@')
	$(Q)$(CC) $(SAN) $(LDFLAGS) -o $@ $^ $(LIBS) -lcmocka
bench.now: $(BUILD)/koikoi $(BENCHES:%.c=$(BUILD)/%) $(FAKES)
	@for b in $(filter %_bench,$^); do $$b $(if $(SMOKE),1) || exit 1; done
	@for b in $(wildcard tests/bench/*_bench.sh); do SMOKE=$(SMOKE) sh $$b $(BUILD) || exit 1; done

# All cards of each deck on one sheet, in the size of a hand and in that of a phone: build/sheets/DECK.png.
SHEETS := $(notdir $(patsubst %/,%,$(sort $(dir $(wildcard config/decks/*/1b.svg)))))
.PHONY: deck-sheet
deck-sheet: $(BUILD)/tests/bench/deck_sheet
	@mkdir -p $(BUILD)/sheets
	@for d in $(SHEETS); do for w in 129 71; do $< $$d $$w > $(BUILD)/sheets/$$d-$$w.png || exit 1; done; done
	@ls $(BUILD)/sheets/*.png

# The computer player: `make arena ARENA='--rules standard master hard'`.
arena: $(BUILD)/tests/bench/arena
	@$< $(ARENA)

# One line more of the ladder, for a version that ships: master against the plain player, the same deals each time.
# Some ten minutes of one core.
LADDER := tests/bench/ladder.jsonl
ladder: $(BUILD)/tests/bench/arena
	@$< --version '$(VERSION) of $(shell git log -1 --format=%cs)' --rules standard --pairs 200 --seed 81000 master plain \
	    >> $(LADDER)
	@sh tests/bench/ladder.sh $(LADDER)

# Its trained numbers, by self-play, in this order, as each needs those before. They come out the same on every
# machine; half an hour of one core, and half an hour of two for nets-value.
NETS := engine/player/nets
nets:
	@$(MAKE) --no-print-directory nets-policy && $(MAKE) --no-print-directory nets-calls && \
	    $(MAKE) --no-print-directory nets-rounds && $(MAKE) --no-print-directory nets-value && \
	    $(MAKE) --no-print-directory nets-plays
nets-policy: $(BUILD)/tests/bench/train/train_policy
	@$< > $(BUILD)/policy.inc && mv $(BUILD)/policy.inc $(NETS)/
nets-calls: $(BUILD)/tests/bench/train/train_calls
	@for p in sensei mongolopedia okoshki standard console steam; do \
	    $< $$p > $(BUILD)/$$p.inc && mv $(BUILD)/$$p.inc $(NETS)/ || exit 1; done
nets-rounds: $(BUILD)/tests/bench/train/train_rounds
	@$< > $(BUILD)/rounds.inc && mv $(BUILD)/rounds.inc $(NETS)/
# The other value nets start from that of standard, so the trainer is built anew with it.
VALUE_NETS := engine/player/value/nets
VALUE_TRAINER := $(BUILD)/tests/bench/train/train_value
nets-value: $(VALUE_TRAINER)
	@$< standard > $(BUILD)/standard_value.inc && mv $(BUILD)/standard_value.inc $(VALUE_NETS)/standard.inc
	@$(MAKE) --no-print-directory $(VALUE_TRAINER)
	@$(VALUE_TRAINER) console 14000000 from standard > $(BUILD)/console_value.inc && \
	    mv $(BUILD)/console_value.inc $(VALUE_NETS)/console.inc
	@$(VALUE_TRAINER) okoshki 8000000 sharing standard > $(BUILD)/okoshki_value.inc && \
	    mv $(BUILD)/okoshki_value.inc $(VALUE_NETS)/okoshki.inc
nets-plays: $(BUILD)/tests/bench/train/train_plays
	@$< > $(BUILD)/plays.inc && mv $(BUILD)/plays.inc $(NETS)/
# Loops over rows of floats.
$(BUILD)/tests/bench/train/train_value.o $(BUILD)/tests/engine/value_learn.o: private OPT := -O3 -g -fno-math-errno

# The collection of puzzles: N of them, from SEED, the same on every machine; some twelve minutes of one core.
.PHONY: puzzles
puzzles: $(BUILD)/tests/bench/puzzles
	@$< $(or $(N),365) $(or $(SEED),1) > $(BUILD)/puzzles.jsonl && mv $(BUILD)/puzzles.jsonl config/

lint.now: $(OBJECTS) $(MAIN)
	@sh tests/rooms.sh $(BUILD)
	@CLANG_FORMAT=$(CLANG_FORMAT) FORMATTED='$(FORMATTED)' sh tests/lint.sh

# What FILE is compiled with, for tools that read code.
flags-of:
	@echo '$(filter-out -MMD -MP -g -DKOIKOI_VERSION=% $(HARDEN),$(CFLAGS)) $(call sees,$(FILE)) $(PKG_FLAGS)'

# For editors and tools that read it: what each source is compiled with.
quoted = $(subst ",\",$(subst \,\\,$1))
compile_commands.json: $(BUILD)/gen/adapters.inc $(BUILD)/gen/embedded.inc
	$(file >$@,[)
	$(foreach s,$(SOURCES) $(TESTS) bot/main.c,$(file >>$@,{"directory": "$(CURDIR)", "file": "$s", "command": "$(call quoted,$(CC) $(filter-out -MMD -MP,$(CFLAGS)) $(call sees,$s) $(PKG_FLAGS) -c $s)"}$(if $(filter bot/main.c,$s),,$(COMMA))))
	$(file >>$@,])
COMMA := ,

format.now:
	@find engine bot adapters tests -name '$(FORMATTED)' | xargs $(CLANG_FORMAT) -i

docs-check.now: $(BUILD)/koikoi
	@sh tests/docs.sh $(BUILD)

# What pages and examples show is taken from the program again, after its words have changed.
refresh.now: $(BUILD)/koikoi
	@$(BUILD)/koikoi options > config/koikoi.conf
	@for page in README.md tests/terminal/README.md; do \
	    sh tests/transcript.sh $(BUILD)/koikoi $$page >$(BUILD)/page && cp $(BUILD)/page $$page || exit 1; done
	@for l in config/decks/*.layout; do $(BUILD)/koikoi picture $$l >$(BUILD)/picture && cp $(BUILD)/picture $${l%.layout}.png || exit 1; done

# One script a network, tests/networks/NAME.sh, each of which starts and stops its own peers; NETWORK=NAME
# takes that one alone.
test-networks.now: $(BUILD)/koikoi $(FAKES) $(BUILD)/fake/koikoi_void $(if $(filter postgres,$(or $(NETWORK),postgres)),$(TEST_BINS))
	@NETWORK=$(NETWORK) sh tests/networks.sh $(BUILD)

# SOAK=1 for a quick look; PostgreSQL too if a server is installed.
soak.now: $(BUILD)/koikoi
	@BUILD=$(BUILD) SOAK=$(or $(SOAK),60) sh tests/networks/soak.sh

# One-line mutations of a scratch copy, each with the tests of its room: N of them, from SEED, in ROOM (a folder, or all).
mutate.now:
	@python3 tests/mutate.py --work $(BUILD)/mutate --n $(or $(N),50) --seed $(or $(SEED),1) $(addprefix --room ,$(ROOM))

clean:
	rm -rf $(BUILD)

.SECONDARY:
-include $(OBJECTS:.o=.d) $(MAIN:.o=.d) $(TEST_BINS:=.d) $(TEST_LIB:.o=.d) $(wildcard $(BUILD)/tests/fake/*/*.d $(BUILD)/tests/fake/*/*/*.d) \
         $(FUZZERS:%.c=$(BUILD)/%.d) $(BENCHES:%.c=$(BUILD)/%.d)
