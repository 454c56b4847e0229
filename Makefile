# koikoi: `make run` plays, `make test` checks; both install what they need first. See README.md.

BUILD  ?= build
CC     ?= gcc
OPT    ?= -O2 -g
SAN    ?=
# What sources call themselves to users.
VERSION := 0.1

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
SEES_tests     := tests tests/fake bot/shell bot/core bot/base bot/port engine $(BUILD)/gen

ROOMS    := engine bot/base bot/core bot/shell
ADAPTERS := $(sort $(basename $(notdir $(wildcard adapters/*.c))) $(patsubst adapters/%/,%,$(sort $(dir $(wildcard adapters/*/*.c)))))

SOURCES  := $(foreach r,$(ROOMS),$(wildcard $(r)/*.c)) $(wildcard adapters/*.c adapters/*/*.c)
OBJECTS  := $(SOURCES:%.c=$(BUILD)/%.o)
MAIN     := $(BUILD)/bot/main.o
TESTS    := $(sort $(shell find tests -name '*_test.c' 2>/dev/null))
TEST_BINS := $(TESTS:%.c=$(BUILD)/%)
# Shared by tests: every tests/**/*.c that is neither a *_test.c, a bench, a fuzz target nor a program of its own.
TEST_LIB := $(patsubst %.c,$(BUILD)/%.o,$(shell find tests -name '*.c' ! -name '*_test.c' ! -path 'tests/bench/*' ! -path 'tests/fuzz/*' ! -path 'tests/fake/*/*' 2>/dev/null))

PACKAGES := libcurl libcjson libsodium sqlite3 libmicrohttpd libedit
LIBS      = $(shell pkg-config --libs $(PACKAGES) 2>/dev/null) -lutf8proc -lpthread -lm
PKG_FLAGS = $(shell pkg-config --cflags $(PACKAGES) 2>/dev/null)

WARN   := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat=2 -Werror
CFLAGS  = -std=c17 $(OPT) $(SAN) $(WARN) -D_GNU_SOURCE -DKOIKOI_VERSION='"$(VERSION)"' -include bot/base/banned.h -fno-common -MMD -MP

room_of  = $(if $(filter engine/%,$1),engine,$(if $(filter adapters/%,$1),adapters,$(if $(filter tests/%,$1),tests,$(if $(filter bot/main.c,$1),bot,$(patsubst %/,%,$(dir $1))))))
sees     = $(addprefix -I,$(SEES_$(call room_of,$1))) $(if $(filter adapters/%/,$(dir $1)),-I$(dir $1))

.PHONY: all run test clean deps
all: $(BUILD)/koikoi

$(BUILD)/koikoi: $(MAIN) $(OBJECTS)
	$(CC) $(SAN) $(LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/%.o: %.c | $(BUILD)/gen/adapters.inc $(BUILD)/gen/embedded.inc
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(call sees,$<) $(PKG_FLAGS) -c -o $@ $<

# The registry: one line ADAPTER(name) for each file or folder found in adapters/.
$(BUILD)/gen/adapters.inc: $(wildcard adapters adapters/*)
	@mkdir -p $(@D)
	@printf '%s\n' $(patsubst %,'ADAPTER(%)',$(ADAPTERS)) > $@.new; cmp -s $@.new $@ 2>/dev/null && rm $@.new && touch $@ || mv $@.new $@

# What is embedded: FILE(symbol, path) for each file under config/rules, texts and schema.
EMBEDDED := $(sort $(patsubst config/%,%,$(wildcard config/rules/*.json config/texts/*.json config/schema/*.sql)))
$(BUILD)/gen/embedded.inc: $(wildcard config/rules config/texts config/schema) Makefile
	@mkdir -p $(@D)
	@i=0; for f in $(EMBEDDED); do i=$$((i + 1)); echo "FILE(embedded_$$i, \"$$f\")"; done > $@
$(BUILD)/bot/shell/embedded.o: $(BUILD)/gen/embedded.inc $(addprefix config/,$(EMBEDDED))

# A test of the engine is linked with the engine alone: that it can be is part of the test.
$(BUILD)/tests/engine/%_test: $(BUILD)/tests/engine/%_test.o $(filter $(BUILD)/engine/%,$(OBJECTS)) $(filter $(BUILD)/tests/engine/%,$(TEST_LIB))
	$(CC) $(SAN) $(LDFLAGS) -o $@ $^ -lcmocka -lm
$(BUILD)/tests/%_test: $(BUILD)/tests/%_test.o $(OBJECTS) $(TEST_LIB)
	$(CC) $(SAN) $(LDFLAGS) -o $@ $^ $(LIBS) -lcmocka

test: $(BUILD)/koikoi $(TEST_BINS)
	@for t in $(TEST_BINS); do $$t || exit 1; done

run: $(BUILD)/koikoi
	$(BUILD)/koikoi run

clean:
	rm -rf $(BUILD)

.SECONDARY:
-include $(OBJECTS:.o=.d) $(MAIN:.o=.d) $(TEST_BINS:=.d) $(TEST_LIB:.o=.d)
