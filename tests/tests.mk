# Tests, checks and suites: included by the Makefile. The pages are tests/README.md and .github/CONTRIBUTING.md.

# ---- What they install -----------------------------------------------------------------------------
SUITES += test thorough asan tsan cover fuzz bench lint format docs-check refresh transcripts test-networks mutate soak
NEEDS_test  := libcmocka-dev python3 binutils
NEEDS_thorough := $(NEEDS_test)
NEEDS_asan  := $(NEEDS_test)
NEEDS_tsan  := libcmocka-dev
NEEDS_cover := $(NEEDS_test) gcovr
NEEDS_bench := libcmocka-dev
NEEDS_format := clang-format-14
NEEDS_lint  := libcmocka-dev clang-format-14 clang-tidy clang cppcheck
NEEDS_fuzz  := clang libclang-rt-14-dev
NEEDS_docs-check := libcmocka-dev python3 python3-jsonschema
NEEDS_refresh := libcmocka-dev
NEEDS_transcripts := libcmocka-dev
NEEDS_mutate := $(NEEDS_test) git
NEEDS_soak := python3 faketime
# Containers and servers for some of the networks alone. Node and Python may be here from elsewhere.
NEEDS_test-networks = $(if $(filter image deb,$(NETWORK)),buildah podman runc netavark debootstrap dpkg-dev lintian) \
                      $(if $(filter debian13,$(NETWORK)),debootstrap) \
                      $(if $(filter bigendian,$(NETWORK)),qemu-user gcc-s390x-linux-gnu libc6-dev-s390x-cross libcmocka-dev) \
                      $(if $(filter postgres cluster,$(or $(NETWORK),postgres)),postgresql pgbouncer libcmocka-dev) \
                      $(if $(filter patroni,$(or $(NETWORK),patroni)),postgresql patroni etcd-server) \
                      $(if $(filter web,$(or $(NETWORK),web)),chromium fontconfig fonts-dejavu-core fonts-noto-color-emoji nginx-light caddy $(if $(SHARE),,firefox-esr webkit2gtk-driver xvfb xauth)) \
                      curl faketime $(if $(shell command -v npm),,nodejs npm) \
                      $(if $(shell python3 -c 'import ensurepip, venv' 2>/dev/null && echo yes),,python3-venv)

# ---- Test programs ---------------------------------------------------------------------------------
TESTS    := $(sort $(shell find tests -name '*_test.c' 2>/dev/null))
TEST_BINS := $(TESTS:%.c=$(BUILD)/%)
# Tests with many points try some of them (tests/engine/stride.h); `make thorough` has them try all.
THOROUGH  := $(patsubst %.c,$(BUILD)/%,$(shell grep -l 'stride.h"' $(TESTS)))
# Shared by tests: every tests/**/*.c that is neither a *_test.c, a bench, a fuzz target nor a program of its own
# (of the fake networks, the one that lives inside a test is shared, and a program as well).
TEST_LIB := $(patsubst %.c,$(BUILD)/%.o,$(shell find tests -name '*.c' ! -name '*_test.c' ! -path 'tests/bench/*' ! -path 'tests/fuzz/*' ! -path 'tests/fake/telegram*' ! -path 'tests/fake/deals/*' ! -path 'tests/fake/*/main.c' 2>/dev/null))

# What was drawn is read back with the same library.
$(BUILD)/tests/picture/picture_test $(BUILD)/tests/golden/pictures_test: LIBS += $(shell pkg-config --libs $(LOADED) 2>/dev/null)

# A step of the schema that the program does not have yet.
$(BUILD)/tests/store/store_migrate_test: override LDFLAGS += -Wl,--wrap=embedded_count,--wrap=embedded_at

# The library of encryption is played.
$(BUILD)/tests/adapters/matrix/matrix_keys_test: override LDFLAGS += -Wl,--wrap=dlopen,--wrap=dlsym

$(BUILD)/tests/loop/loop_answers_test: override LDFLAGS += -Wl,--wrap=dlopen,--wrap=dlsym,--wrap=wire_request_find,--wrap=outbox_picture

# Golden chats deal the cards they ask for, see which sentences are made, and open the catalogues once; nothing but these
# tests can.
$(patsubst %.c,$(BUILD)/%,$(wildcard tests/golden/*_test.c)): override LDFLAGS += -Wl,--wrap=outbox_push,--wrap=outbox_held,--wrap=outbox_waits,--wrap=work_push,--wrap=chance_shuffle,--wrap=text_make,--wrap=embedded_find,--wrap=texts_load,--wrap=store_save

# Nor does any of these walk through a table that grows, once or for each page of it (tests/golden/table_walks.c).
$(patsubst %.c,$(BUILD)/%,$(wildcard tests/golden/*_test.c tests/outbox/*_test.c) tests/store/retention_test.c tests/store/store_results_test.c): override LDFLAGS += -Wl,--wrap=sqlite3_prepare_v3

# On a server each statement says whose rows it means (tests/fixture/statements.h); in a file those above look.
$(patsubst %.c,$(BUILD)/%,$(wildcard $(patsubst %,tests/%/*_test.c,store golden outbox loop inbox daemon))): override LDFLAGS += -Wl,--wrap=PQsendPrepare

# And every line of words on a picture.
$(BUILD)/tests/golden/pictures_test: override LDFLAGS += -Wl,--wrap=paper_text

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
# A linker that takes a fourth of the time over 150 tests, where one is installed.
LINKER := $(firstword $(foreach l,gold mold lld,$(if $(shell command -v ld.$l),-fuse-ld=$l)))
link_test = $(if $(V),,@echo '  link $@')$(NEWLINE)$(Q)$(CC) $(SAN) $(LDFLAGS) $(LINKER) -o $@ $(filter %.o,$^) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group
define NEWLINE


endef
# A test is compiled faster than its optimised code would make up for, but for what counts positions.
$(BUILD)/tests/%.o: override OPT := -O0 $(DEBUG)
$(BUILD)/tests/%.o: HARDEN := $(filter -fPIE,$(HARDEN))
$(BUILD)/tests/engine/%.o $(BUILD)/tests/bench/%.o $(BUILD)/tests/fake/%.o: override OPT := -O2 $(DEBUG)
$(BUILD)/tests/engine/%_test.o: override OPT := -O0 $(DEBUG)

# A test of the engine is linked with the engine alone: that it can be is part of the test.
$(BUILD)/tests/engine/%_test: $(BUILD)/tests/engine/%_test.o $(filter $(BUILD)/engine/%,$(OBJECTS)) $(BUILD)/tests/engine.a
	$(link_test) -lcmocka -lm
$(BUILD)/tests/%_test: $(BUILD)/tests/%_test.o $(PROGRAM) $(SHARED)
	$(link_test) $(LIBS) -lcmocka

# A fake network is a program of its own: tests/fake/NAME/ with its folders becomes build/fake/NAME. It may use bot/base
# and what tests share.
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

# Every test program and every terminal script, the longest first, those that mostly wait beside the others; ends with one
# line that counts all of them. The benches are read beside them, so that a changed interface is noticed here.
WAITING := $(addprefix $(BUILD)/tests/,adapters/matrix/matrix_oauth_test daemon/stop_test net/server_test terminal/script_test)
LONGEST := $(BUILD)/tests/golden/golden_test $(THOROUGH)
BENCHES := $(sort $(wildcard tests/bench/*.c tests/bench/train/*.c))
test.now: $(BUILD)/koikoi $(TEST_BINS) $(BENCHES:%.c=$(BUILD)/%.read)
	@WAITING='$(WAITING)' sh tests/run.sh $(BUILD) $(LONGEST) $(filter-out $(LONGEST) $(WAITING),$(TEST_BINS)) $(if $(HARDEN),tests/hardened.sh)

$(BUILD)/%.read: %.c $(BUILD)/gen/flags | libraries $(BUILD)/gen/adapters.inc $(BUILD)/gen/embedded.inc
	@mkdir -p $(@D)
	$(if $(V),,@echo '  read $<')
	$(Q)$(CC) $(CFLAGS) -MF $@.d -MT $@ $(call sees,$<) $(call libraries_of,$<) -fsyntax-only $<
	@touch $@

thorough.now: $(BUILD)/koikoi $(THOROUGH)
	@THOROUGH=1 LIMIT=1200 sh tests/run.sh none $(THOROUGH)

# ---- Suites ----------------------------------------------------------------------------------------
.PHONY: test-threads test-covers fuzz-run
# Watched, the arithmetic of the nets is not vectorised and takes more than half of all these two spend: `make fuzz` watches
# it, and its own tests see what it gives.
ifneq ($(filter $(BUILD),build/asan build/cover),)
$(BUILD)/engine/player/table_value.o: override SAN :=
endif
# (The level is set in the environment: the engine keeps its own, since most of the time is spent there. Where a pointer
# leads is the first sanitizer's question alone: the second one's answers cost a fourth of the time.)
asan.now:
	@OPT='-O1 -g1 -fno-omit-frame-pointer' $(MAKE) --no-print-directory BUILD=build/asan LIMIT=500 \
	    SAN='-fsanitize=address,undefined -fno-sanitize=null,object-size,pointer-overflow -fno-sanitize-recover=all' test.now

# Threads are in the worker pool only, and whatever starts it.
tsan.now:
	@$(MAKE) --no-print-directory BUILD=build/tsan OPT='-O1 -g' SAN=-fsanitize=thread test-threads
test-threads: $(filter %/work_test %/loop_test,$(TEST_BINS))
	@sh tests/run.sh none $^

# Coverage of the engine and the core, by the tests that call them, directly or through the inbox and the outbox.
COVERED := engine bot/core
COVERS  := $(filter $(addprefix $(BUILD)/tests/,engine/% core/% golden/% formats/% inbox/% outbox/%),$(TEST_BINS))
cover.now:
	@find build/cover -name '*.gcda' -delete 2>/dev/null || true
	@OPT='-Og -g' $(MAKE) --no-print-directory BUILD=build/cover SAN=--coverage test-covers
	@gcovr -r . --object-directory build/cover $(addprefix -f ,$(addsuffix /,$(COVERED))) \
	    --exclude-unreachable-branches --fail-under-line 95 -o build/cover/lines.txt; \
	    r=$$?; sed -n '/^[a-zT].*[0-9]%/p' build/cover/lines.txt | cut -c 1-80; exit $$r
test-covers: $(COVERS)
	@sh tests/run.sh none $(filter $(LONGEST),$^) $(filter-out $(LONGEST),$^)

FUZZERS := $(sort $(wildcard tests/fuzz/*_fuzz.c))
fuzz.now:
	@$(MAKE) --no-print-directory BUILD=build/fuzz CC=clang OPT='-O1 -g' \
	    SAN='-fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all' fuzz-run
$(BUILD)/tests/fuzz/%: $(BUILD)/tests/fuzz/%.o $(BUILD)/tests/adapters/account.o $(PROGRAM)
	$(if $(V),,@echo '  link $@')
	$(Q)$(CC) -fsanitize=address,undefined,fuzzer $(LINKER) -o $@ $^ $(LIBS)
fuzz-run: $(FUZZERS:%.c=$(BUILD)/%)
	@sh tests/fuzz.sh $(BUILD) $(TIME) $^

# SMOKE=1: each once and short, to see that they run.
$(BUILD)/tests/bench/%: $(BUILD)/tests/bench/%.o $(PROGRAM) $(SHARED)
	$(link_test) $(LIBS) -lcmocka
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

# All kinds of pictures, with long names, in each language and both decks, as wide as on a phone: build/sheets/LANGUAGE-DECK-NO.png.
.PHONY: picture-sheets
picture-sheets: $(BUILD)/tests/golden/pictures_test
	@mkdir -p $(BUILD)/sheets
	@SHEETS=$(BUILD)/sheets $<

# The formatter, and the files that it lays out.
CLANG_FORMAT := clang-format-14
FORMATTED    ?= *.[ch]
lint.now: $(BUILD)/koikoi
	@sh tests/rooms.sh $(BUILD)
	@BUILD=$(BUILD) CLANG_FORMAT=$(CLANG_FORMAT) FORMATTED='$(FORMATTED)' sh tests/lint.sh

format.now:
	@find engine bot adapters tests -name '$(FORMATTED)' | xargs $(CLANG_FORMAT) -i

docs-check.now: $(BUILD)/koikoi $(BUILD)/tests/terminal/script_test
	@sh tests/docs.sh $(BUILD)

# What pages and examples show is taken from the program again, after its words have changed.
refresh.now: $(BUILD)/koikoi $(BUILD)/tests/terminal/script_test $(BUILD)/tests/bench/deck_sheet
	@$(BUILD)/koikoi options > config/koikoi.conf
	@for page in README.md tests/terminal/README.md; do \
	    sh tests/transcript.sh $(BUILD) $$page >$(BUILD)/page && cp $(BUILD)/page $$page || exit 1; done
	@for l in config/decks/*.layout; do $(BUILD)/koikoi picture $$l >$(BUILD)/picture && cp $(BUILD)/picture $${l%.layout}.png || exit 1; done
	@$(BUILD)/tests/bench/deck_sheet config/decks/profile.svg 256 >$(BUILD)/picture && cp $(BUILD)/picture config/decks/profile.png

# The picture of the page in the README, from chromium.
.PHONY: page-picture
page-picture: $(BUILD)/koikoi
	@BUILD=$(BUILD) PICTURE=$(CURDIR)/config/decks/table.png sh tests/networks/web.sh

# A whole match and the pages around it as players read them: build/transcripts/LANGUAGE.txt.
transcripts.now: $(BUILD)/tests/golden/golden_test
	@mkdir -p $(BUILD)/transcripts
	@for f in config/texts/*.json; do l=$$(basename $$f .json); \
	    sed "s/LANGUAGE/$$l/g" tests/golden/language/whole.story >$(BUILD)/transcripts/$$l.chat; \
	    GOLDEN_SHOW=1 $< $(BUILD)/transcripts/$$l.chat >$(BUILD)/transcripts/$$l.txt || exit 1; done

# One script a network, tests/networks/NAME.sh, each of which starts and stops its own peers; NETWORK=NAME
# takes that one alone.
test-networks.now: $(BUILD)/koikoi $(FAKES) $(BUILD)/fake/koikoi_void $(if $(filter postgres,$(or $(NETWORK),postgres)),$(TEST_BINS)) $(if $(filter cluster,$(or $(NETWORK),cluster)),$(BUILD)/tests/bench/fill)
	@NETWORK=$(NETWORK) sh tests/networks.sh $(BUILD)

# SOAK=1 for a quick look; PostgreSQL too if a server is installed.
soak.now: $(BUILD)/koikoi
	@BUILD=$(BUILD) SOAK=$(or $(SOAK),60) sh tests/networks/soak.sh

# One-line mutations of scratch copies, each with the tests of its room: N of them, from SEED, in ROOM (a folder, or all),
# JOBS at once.
mutate.now:
	@python3 tests/mutate.py --work $(BUILD)/mutate --n $(or $(N),50) --seed $(or $(SEED),1) --jobs $(or $(JOBS),1) $(addprefix --room ,$(ROOM))

-include $(TEST_BINS:=.d) $(TEST_LIB:.o=.d) $(wildcard $(BUILD)/tests/fake/*/*.d $(BUILD)/tests/fake/*/*/*.d) \
         $(FUZZERS:%.c=$(BUILD)/%.d) $(BENCHES:%.c=$(BUILD)/%.d) $(BENCHES:%.c=$(BUILD)/%.read.d)
