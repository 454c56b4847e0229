# The computer player's measures and trained numbers: included by the Makefile.
# The pages are README.md beside this file and tests/bench/README.md.

.PHONY: arena ladder nets nets-policy nets-calls nets-rounds nets-plays nets-value
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
VALUE_TRAINER := $(BUILD)/tests/bench/train/train_value
nets-value: $(VALUE_TRAINER)
	@$< standard > $(BUILD)/standard.net && mv $(BUILD)/standard.net $(NETS)/
	@$(MAKE) --no-print-directory $(VALUE_TRAINER)
	@$(VALUE_TRAINER) console 14000000 from standard > $(BUILD)/console.net && mv $(BUILD)/console.net $(NETS)/
	@$(VALUE_TRAINER) okoshki 8000000 sharing standard > $(BUILD)/okoshki.net && mv $(BUILD)/okoshki.net $(NETS)/
nets-plays: $(BUILD)/tests/bench/train/train_plays
	@$< > $(BUILD)/plays.inc && mv $(BUILD)/plays.inc $(NETS)/
# Loops over rows of floats.
$(BUILD)/tests/bench/train/train_value.o $(BUILD)/tests/engine/value_learn.o: private override OPT := -O2 -g -fno-math-errno
