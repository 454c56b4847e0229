# koikoi: `make run` plays, `make test` checks; both install what they need first. See README.md.
#
#   make            the program, build/koikoi         make bench        figures, as JSON lines
#   make run        build it and play                 make fuzz         every parser, TIME seconds each
#   make test       build and run every test          make asan, tsan   the tests under sanitizers
#   make lint       format, analysers, room checks    make cover        line coverage, with its floor
#   make docs-check what the pages promise holds      make refresh      takes their examples from the program
#   make test-networks  against real peers, if any    make format       lays out the code

BUILD  ?= build
CC     := $(if $(filter default undefined,$(origin CC)),gcc,$(CC))
OPT    ?= -O2 -g
Q      := $(if $(V),,@)
SAN    ?=
TIME   ?= 20
# What sources call themselves to users.
VERSION := 0.1

# All cores, unless the caller said how many.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif

# ---- What is needed from Debian -------------------------------------------------------------------
# Asked for here, before anything below is read, so that pkg-config can answer after an installation.
NEEDS := gcc libc6-dev pkg-config ca-certificates libcurl4-openssl-dev libcjson-dev libsodium-dev \
         libsqlite3-dev libedit-dev libutf8proc-dev libmicrohttpd-dev librsvg2-dev libcairo2-dev \
         tzdata
NEEDS_test  := libcmocka-dev python3
NEEDS_asan  := libcmocka-dev python3
NEEDS_tsan  := libcmocka-dev
NEEDS_cover := libcmocka-dev gcovr python3
NEEDS_format := clang-format
NEEDS_lint  := libcmocka-dev clang-format clang-tidy clang cppcheck
NEEDS_fuzz  := clang libclang-rt-14-dev
NEEDS_docs-check := python3 python3-jsonschema
# Node and Python may be here from elsewhere.
NEEDS_test-networks = curl faketime $(if $(shell command -v npm),,nodejs npm) \
                      $(if $(shell python3 -c 'import ensurepip, venv' 2>/dev/null && echo yes),,python3-venv)

GOALS   := $(or $(MAKECMDGOALS),all)
WANTED  := $(if $(filter-out clean,$(GOALS)),$(sort $(NEEDS) $(foreach g,$(GOALS),$(NEEDS_$(g)))))
MISSING := $(if $(and $(WANTED),$(shell command -v dpkg-query)),$(filter-out $(shell \
             dpkg-query -W -f '$${db:Status-Status}/$${Package} ' $(WANTED) 2>/dev/null | \
             tr ' ' '\n' | sed -n 's,^installed/,,p'),$(WANTED)))
ifneq ($(MISSING),)
AS_ROOT := $(if $(filter 0,$(shell id -u)),env,$(if $(shell command -v sudo),sudo env))
ifeq ($(AS_ROOT),)
$(error These Debian packages are missing, and neither root nor sudo is here to install them: $(MISSING))
endif
$(info Installing: $(MISSING))
APT := $(AS_ROOT) DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0
ifneq ($(shell ($(APT) update && $(APT) install -y --no-install-recommends $(MISSING)) >&2 && echo good),good)
$(error apt-get could not install: $(MISSING))
endif
endif

# ---- The rooms ------------------------------------------------------------------------------------
# What each room may see. This table is the architecture; the compiler holds us to it: an #include of a
# room that is not listed is "file not found".
SEES_engine    := engine
SEES_bot/base  := bot/base
SEES_bot/port  := bot/base bot/port
SEES_bot/core  := bot/core bot/base bot/port engine
SEES_bot/shell := bot/shell bot/core bot/base bot/port engine $(BUILD)/gen
SEES_bot       := bot/shell bot/core bot/base bot/port engine
SEES_adapters  := bot/base bot/port
SEES_tests/engine := tests/engine engine
SEES_tests     := tests tests/fake bot/shell bot/core bot/base bot/port engine $(BUILD)/gen

ROOMS    := engine bot/base bot/core bot/shell
ADAPTERS := $(sort $(basename $(notdir $(wildcard adapters/*.c))) $(patsubst adapters/%/,%,$(sort $(dir $(wildcard adapters/*/*.c)))))

SOURCES  := $(foreach r,$(ROOMS),$(wildcard $(r)/*.c)) $(wildcard adapters/*.c adapters/*/*.c)
OBJECTS  := $(SOURCES:%.c=$(BUILD)/%.o)
MAIN     := $(BUILD)/bot/main.o
TESTS    := $(sort $(shell find tests -name '*_test.c' 2>/dev/null))
TEST_BINS := $(TESTS:%.c=$(BUILD)/%)
# Shared by tests: every tests/**/*.c that is neither a *_test.c, a bench, a fuzz target nor a program of its own
# (of the fake networks, the one that lives inside a test is shared, and a program as well).
TEST_LIB := $(patsubst %.c,$(BUILD)/%.o,$(shell find tests -name '*.c' ! -name '*_test.c' ! -path 'tests/bench/*' ! -path 'tests/fuzz/*' ! -path 'tests/fake/telegram/*' ! -path 'tests/fake/deals/*' ! -path 'tests/fake/*/main.c' 2>/dev/null))

PACKAGES := libcurl libcjson libsodium sqlite3 libedit libmicrohttpd
# Loaded when the first picture is drawn, not with the program.
LOADED   := librsvg-2.0 cairo
LIBS      := $(shell pkg-config --libs $(PACKAGES) 2>/dev/null) -lutf8proc -lpthread -lm
PKG_FLAGS := $(shell pkg-config --cflags $(PACKAGES) $(LOADED) 2>/dev/null)

WARN   := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat=2 -Werror
CFLAGS  = -std=c17 $(OPT) $(SAN) $(WARN) -D_GNU_SOURCE -DKOIKOI_VERSION='"$(VERSION)"' -include bot/base/banned.h -fno-common -MMD -MP

room_of  = $(if $(filter engine/%,$1),engine,$(if $(filter adapters/%,$1),adapters,$(if $(filter tests/engine/%,$1),tests/engine,$(if $(filter tests/%,$1),tests,$(if $(filter bot/main.c,$1),bot,$(patsubst %/,%,$(dir $1)))))))
sees     = $(addprefix -I,$(SEES_$(call room_of,$1))) $(if $(filter adapters/%/,$(dir $1)),-I$(dir $1))

.PHONY: all run test clean asan tsan test-threads cover fuzz fuzz-run bench arena tune learn equity lint flags-of format refresh docs-check test-networks
all: $(BUILD)/koikoi

$(BUILD)/koikoi: $(MAIN) $(OBJECTS)
	$(if $(V),,@echo '  link $@')
	$(Q)$(CC) $(SAN) $(LDFLAGS) -o $@ $^ $(LIBS)

# The engine is where time is measured in nanoseconds.
$(BUILD)/engine/%.o: OPT := -O3 -g

$(BUILD)/%.o: %.c | $(BUILD)/gen/adapters.inc $(BUILD)/gen/embedded.inc
	@mkdir -p $(@D)
	$(if $(V),,@echo '  cc   $<')
	$(Q)$(CC) $(CFLAGS) $(call sees,$<) $(PKG_FLAGS) -c -o $@ $<

# The registry: one line ADAPTER(name) for each file or folder found in adapters/.
$(BUILD)/gen/adapters.inc: $(wildcard adapters adapters/*)
	@mkdir -p $(@D)
	@printf '%s\n' $(patsubst %,'ADAPTER(%)',$(ADAPTERS)) > $@.new; cmp -s $@.new $@ 2>/dev/null && rm $@.new && touch $@ || mv $@.new $@

# What is embedded: FILE(symbol, path) for each file under config/rules, texts, decks and schema.
EMBEDDED := $(sort $(patsubst config/%,%,$(wildcard config/rules/*.json config/texts/*.json config/decks/*/*.svg config/schema/*.sql)))
$(BUILD)/gen/embedded.inc: $(wildcard config/rules config/texts config/decks config/decks/* config/schema) Makefile
	@mkdir -p $(@D)
	@i=0; for f in $(EMBEDDED); do i=$$((i + 1)); echo "FILE(embedded_$$i, \"$$f\")"; done > $@
$(BUILD)/bot/shell/embedded.o: $(BUILD)/gen/embedded.inc $(addprefix config/,$(EMBEDDED))

# What was drawn is read back with the same library.
$(BUILD)/tests/shell/picture_test: LIBS += $(shell pkg-config --libs $(LOADED) 2>/dev/null)

# Golden chats deal the cards they ask for and see which sentences are made; nothing but this test can.
$(BUILD)/tests/golden/golden_test: override LDFLAGS += -Wl,--wrap=outbox_push,--wrap=work_push,--wrap=chance_shuffle,--wrap=text_make

# What tests share is taken from archives: a test gets what it asks for, and no more.
SHARED := $(BUILD)/tests/shared.a $(BUILD)/tests/engine.a
$(BUILD)/tests/engine.a: $(filter $(BUILD)/tests/engine/%,$(TEST_LIB))
$(BUILD)/tests/shared.a: $(filter-out $(BUILD)/tests/engine/%,$(TEST_LIB))
$(SHARED):
	@mkdir -p $(@D)
	@rm -f $@
	@ar rcs $@ $^

# A test of the engine is linked with the engine alone: that it can be is part of the test.
$(BUILD)/tests/engine/%_test: $(BUILD)/tests/engine/%_test.o $(filter $(BUILD)/engine/%,$(OBJECTS)) $(BUILD)/tests/engine.a
	$(if $(V),,@echo '  link $@')
	$(Q)$(CC) $(SAN) $(LDFLAGS) -o $@ $^ -lcmocka -lm
$(BUILD)/tests/%_test: $(BUILD)/tests/%_test.o $(OBJECTS) $(SHARED)
	$(if $(V),,@echo '  link $@')
	$(Q)$(CC) $(SAN) $(LDFLAGS) -o $@ $^ $(LIBS) -lcmocka

# A fake network is a program of its own: tests/fake/NAME/*.c becomes build/fake/NAME. It may use bot/base and what
# tests share.
FAKES := $(patsubst tests/fake/%/main.c,$(BUILD)/fake/%,$(wildcard tests/fake/*/main.c))
define FAKE_RULE
$1: $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/fake/$(notdir $1)/*.c)) $(filter $(BUILD)/bot/base/%,$(OBJECTS)) $(SHARED)
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

# Every test program and every terminal script; ends with one line that counts all of them.
test: $(BUILD)/koikoi $(TEST_BINS)
	@sh tests/run.sh $(BUILD) $(TEST_BINS)

run: $(BUILD)/koikoi
	@$(BUILD)/koikoi run

# ---- More checks ----------------------------------------------------------------------------------
asan:
	@$(MAKE) --no-print-directory BUILD=build/asan OPT='-O1 -g -fno-omit-frame-pointer' \
	    SAN='-fsanitize=address,undefined -fno-sanitize-recover=all' test

# Threads are in the worker pool only, and whatever starts it.
tsan:
	@$(MAKE) --no-print-directory BUILD=build/tsan OPT='-O1 -g' SAN=-fsanitize=thread test-threads
test-threads: $(filter %/work_test %/loop_test,$(TEST_BINS))
	@sh tests/run.sh none $^

COVERED := engine bot/core
cover:
	@find build/cover -name '*.gcda' -delete 2>/dev/null || true
	@$(MAKE) --no-print-directory BUILD=build/cover OPT='-O0 -g' SAN=--coverage test
	@gcovr -r . --object-directory build/cover $(addprefix -f ,$(addsuffix /,$(COVERED))) \
	    --exclude-unreachable-branches --fail-under-line 95 -o build/cover/lines.txt; \
	    r=$$?; sed -n '/^[a-zT].*[0-9]%/p' build/cover/lines.txt | cut -c 1-80; exit $$r

FUZZERS := $(sort $(wildcard tests/fuzz/*.c))
fuzz:
	@$(MAKE) --no-print-directory BUILD=build/fuzz CC=clang OPT='-O1 -g' \
	    SAN='-fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all' fuzz-run
$(BUILD)/tests/fuzz/%: $(BUILD)/tests/fuzz/%.o $(OBJECTS)
	$(if $(V),,@echo '  link $@')
	$(Q)$(CC) -fsanitize=address,undefined,fuzzer -o $@ $^ $(LIBS)
fuzz-run: $(FUZZERS:%.c=$(BUILD)/%)
	@sh tests/fuzz.sh $(BUILD) $(TIME) $^

# SMOKE=1: each once and short, to see that they run.
BENCHES := $(sort $(wildcard tests/bench/*.c))
$(BUILD)/tests/bench/%: $(BUILD)/tests/bench/%.o $(OBJECTS) $(SHARED)
	$(if $(V),,@echo '  link $@')
	$(Q)$(CC) $(SAN) $(LDFLAGS) -o $@ $^ $(LIBS) -lcmocka
bench: $(BUILD)/koikoi $(BENCHES:%.c=$(BUILD)/%) $(FAKES)
	@for b in $(filter %_bench,$^); do $$b $(if $(SMOKE),1) || exit 1; done
	@for b in $(wildcard tests/bench/*_bench.sh); do SMOKE=$(SMOKE) sh $$b $(BUILD) || exit 1; done

# The computer player: `make arena ARENA='--rules standard master hard'`; its numbers, made by self-play.
arena: $(BUILD)/tests/bench/arena
	@$< $(ARENA)
tune: $(BUILD)/tests/bench/tune
	@$< $(or $(SECONDS),300)
learn: $(BUILD)/tests/bench/learn
	@$< $(or $(PRESET),standard) $(or $(SECONDS),60) > $(BUILD)/learned.c && \
	    mv $(BUILD)/learned.c engine/search_call_$(or $(PRESET),standard).c
equity: $(BUILD)/tests/bench/equity
	@$< $(or $(ROUNDS),200000) > $(BUILD)/equity_rounds.c && mv $(BUILD)/equity_rounds.c engine/

lint: $(OBJECTS) $(MAIN)
	@sh tests/rooms.sh $(BUILD)
	@sh tests/lint.sh

# What FILE is compiled with, for tools that read code.
flags-of:
	@echo '$(filter-out -MMD -MP -g -DKOIKOI_VERSION=%,$(CFLAGS)) $(call sees,$(FILE)) $(PKG_FLAGS)'

# Headers are laid out by hand, as tables; code is laid out by the formatter.
format:
	@find engine bot adapters tests -name '*.c' | xargs clang-format -i

docs-check: $(BUILD)/koikoi
	@sh tests/docs.sh $(BUILD)

# What pages and examples show is taken from the program again, after its words have changed.
refresh: $(BUILD)/koikoi
	@$(BUILD)/koikoi options > config/koikoi.conf
	@$(BUILD)/koikoi run --script tests/terminal/readme.script > $(BUILD)/transcript
	@awk 'FNR == NR {told = told $$0 "\n"; next} /^```/ && next_block {print; printf "%s", told; skipping = 1; next_block = 0; next} \
	    /^```/ {skipping = 0} /<!-- transcript: / {next_block = 1} !skipping {print}' $(BUILD)/transcript README.md > $(BUILD)/README.md
	@cp $(BUILD)/README.md README.md

# One script a network, tests/networks/NAME.sh, each of which starts and stops its own peers; NETWORK=NAME
# takes that one alone.
test-networks: $(BUILD)/koikoi $(FAKES) $(BUILD)/fake/koikoi_void
	@NETWORK=$(NETWORK) sh tests/networks.sh $(BUILD)

clean:
	rm -rf $(BUILD)

.SECONDARY:
-include $(OBJECTS:.o=.d) $(MAIN:.o=.d) $(TEST_BINS:=.d) $(TEST_LIB:.o=.d) $(wildcard $(BUILD)/tests/fake/*/*.d) \
         $(FUZZERS:%.c=$(BUILD)/%.d) $(BENCHES:%.c=$(BUILD)/%.d)
