# Included by the Makefile.
.PHONY: puzzles
# The collection of puzzles: N of them, from SEED, the same on every machine; some twelve minutes of one core.
puzzles: $(BUILD)/tests/bench/puzzles
	@$< $(or $(N),365) $(or $(SEED),1) > $(BUILD)/puzzles.jsonl && mv $(BUILD)/puzzles.jsonl config/
