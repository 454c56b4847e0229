/* Any bytes as words behind a command: options of a challenge make a session that can be stored, or
 * are refused; a season that is read has one key and one code; a join code is taken only as the bot
 * writes it. */
#include <stdint.h>

#include "command.h"
#include "ruleset_file.h"
#include "season.h"
#include "step.h"
#include "texts.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PRESETS = 16 };

static void season_words(struct str words)
{
    struct season_key key, again;
    if (!season_read(words, &key))
        return;
    bool good = season_read(str_of(key.text), &again);
    assert(good && strcmp(key.text, again.text) == 0);
    good = season_of_code(season_code(&key), &again);
    assert(good && strcmp(key.text, again.text) == 0);
}

static void join_code(struct arena *a, struct str words)
{
    static const uint8_t key[PRESS_KEY_BYTES] = {9};
    int64_t no = 0;
    if (join_code_read(key, VERB_JOIN, words, a, &no))
        assert(str_is(join_code_write(key, VERB_JOIN, no, a), text_fold(a, str_trim(words))));
    struct str code = join_code_write(key, VERB_JOIN, (int64_t)words.n + 1, a);
    bool good = join_code_read(key, VERB_JOIN, code, a, &no);
    assert(good && no == (int64_t)words.n + 1);
    good = join_code_read(key, VERB_TOURNAMENT, code, a, &no);
    assert(!good);
}

static void challenge(const struct bot *bot, struct arena *a, struct str words)
{
    static char first[64 * 1024], second[64 * 1024];
    struct world *w = arena_new(a, struct world);
    *w = (struct world){.bot = bot,
                        .me = {.person = 1, .handle = 1},
                        .chat = {.id = 1},
                        .zone_ok = true,
                        .can = CAN_BUTTONS | CAN_DIRECT | CAN_WHISPER};
    chat_settings_default(&w->chat.settings);
    struct event e = {.verb = VERB_CHALLENGE,
                      .account = 1,
                      .chat = STR("#tea"),
                      .words = words,
                      .from = {.id = STR("ann"), .name = STR("Ann")},
                      .now = 1000,
                      .index = -1,
                      .version = -1};
    struct effects *fx = arena_new(a, struct effects);
    fx->arena = a;
    enum verdict verdict = bot_step(w, &e, fx);
    assert(verdict != IGNORED && fx->n_saves <= 1 && (fx->n_saves == 1) == (verdict == TAKEN));
    if (fx->n_saves == 0)
        return;
    struct buf b = BUF(first), c = BUF(second);
    struct session s = *fx->save[0];
    s.no = 1;
    struct str line = session_write(&s, &b);
    const char *wrong = session_read(line, bot->rulesets, &s);
    assert(!wrong && !b.cut);
    s.no = 1;
    assert(str_is(line, session_write(&s, &c)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct arena *process, *turn;
    static struct languages english;
    static struct ruleset_cache rulesets;
    static struct rules presets[PRESETS];
    static struct bot bot;
    struct str words = {(const char *)data, size};
    if (!process) {
        char names[PRESETS][RULES_NAME_SIZE];
        struct err err;
        process = arena_open((size_t)1 << 26);
        turn = arena_open((size_t)1 << 28);
        bool good = texts_load(STR(""), STR("en"), true, process, &english, &err);
        int n = ruleset_file_names(STR(""), PRESETS, names);
        for (int i = 0; i < n && good; i++)
            good = ruleset_file_find(STR(""), str_of(names[i]), &presets[i], &err);
        assert(good && n > 0);
        bot = (struct bot){.languages = &english,
                           .n_presets = n,
                           .presets = presets,
                           .rulesets = &rulesets,
                           .default_rules = STR("standard"),
                           .default_language = STR("en")};
    }
    arena_reset(turn);
    season_words(words);
    join_code(turn, words);
    challenge(&bot, turn, words);
    return 0;
}
