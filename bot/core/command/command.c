/* See command.h. */
#include "command.h"

#include <utf8proc.h>

#define GAME (FACT_HERE | FACT_MINE)
const struct command commands[N_VERBS] = {
    [VERB_CHALLENGE] = {VERB_CHALLENGE, "challenge", 'c', GAME | FACT_LAST, false},
    [VERB_ACCEPT] = {VERB_ACCEPT, "accept", 'a', GAME | FACT_LAST, false},
    [VERB_DECLINE] = {VERB_DECLINE, "decline", 'd', GAME, false},
    [VERB_CANCEL] = {VERB_CANCEL, "cancel", 'x', GAME, false},
    [VERB_PLAY] = {VERB_PLAY, "play", 'j', GAME, false},
    [VERB_KOIKOI] = {VERB_KOIKOI, "koikoi", 'K', GAME, false},
    [VERB_STOP] = {VERB_STOP, "stop", 'S', GAME, false},
    [VERB_DECLARE] = {VERB_DECLARE, "declare", 0, GAME, false},
    [VERB_REDEAL] = {VERB_REDEAL, "redeal", 'l', GAME, false},
    [VERB_HAND] = {VERB_HAND, "hand", 'h', GAME, false},
    [VERB_TABLE] = {VERB_TABLE, "table", 't', GAME, false},
    [VERB_YAKU] = {VERB_YAKU, "yaku", 'y', GAME, false},
    [VERB_RULES] = {VERB_RULES, "rules", 'r', GAME, false},
    [VERB_SCORE] = {VERB_SCORE, "score", 's', GAME | FACT_LAST | FACT_NOTEBOOK, false},
    [VERB_GAMES] = {VERB_GAMES, "games", 'g', GAME, false},
    [VERB_RESIGN] = {VERB_RESIGN, "resign", 'q', GAME, false},
    [VERB_REMATCH] = {VERB_REMATCH, "rematch", 'm', GAME | FACT_LAST, false},
    [VERB_NUDGE] = {VERB_NUDGE, "nudge", 'n', GAME, false},
    [VERB_BOARD] = {VERB_BOARD, "board", 'b', FACT_STANDINGS, false},
    [VERB_HELP] = {VERB_HELP, "help", '?', 0, false},
    [VERB_SETTINGS] = {VERB_SETTINGS, "settings", 0, 0, true},
    [VERB_LANGUAGE] = {VERB_LANGUAGE, "language", 0, 0, false},
    [VERB_VERIFY] = {VERB_VERIFY, "verify", 'v', GAME | FACT_LAST, false},
    [VERB_CUT] = {VERB_CUT, "cut", 0, GAME, false},
    [VERB_READY] = {VERB_READY, "ready", 'e', GAME, false},
    [VERB_CLAIM] = {VERB_CLAIM, "claim", 'k', GAME, false},
    [VERB_WAIT] = {VERB_WAIT, "wait", 'w', GAME, false},
    [VERB_EXPORT] = {VERB_EXPORT, "export", 'o', FACT_LAST | FACT_RECORD, false},
    [VERB_PING] = {VERB_PING, "ping", 0, 0, false},
    [VERB_PRIVACY] = {VERB_PRIVACY, "privacy", 0, 0, false},
    [VERB_START] = {VERB_START, "start", 0, GAME, false},
    [VERB_JOIN] = {VERB_JOIN, "join", 0, GAME, false},
    [VERB_LINK] = {VERB_LINK, "link", 0, 0, false},
    [VERB_UNLINK] = {VERB_UNLINK, "unlink", 0, 0, false},
    [VERB_MOVE] = {VERB_MOVE, NULL, 'p', 0, false},
    [VERB_HINT] = {VERB_HINT, "hint", 'i', GAME, false},
    [VERB_REVIEW] = {VERB_REVIEW, "review", 'z', GAME | FACT_LAST | FACT_LESSON, false},
    [VERB_OPPONENTS] = {VERB_OPPONENTS, "opponents", 0, 0, false},
    [VERB_QUERY] = {VERB_QUERY, NULL, 0, FACT_MINE, false},
    [VERB_INVITE] = {VERB_INVITE, NULL, 'I', GAME | FACT_LAST, false},
    [VERB_UNKNOWN] = {VERB_UNKNOWN, NULL, 0, GAME, false},
    [VERB_NUMBER] = {VERB_NUMBER, NULL, 0, GAME, false},
    [VERB_JOINED] = {VERB_JOINED, NULL, 0, FACT_HERE, false},
    [VERB_LEFT] = {VERB_LEFT, NULL, 0, FACT_HERE, false},
    [VERB_AWAY] = {VERB_AWAY, NULL, 0, FACT_HERE, false},
    [VERB_RIGHTS] = {VERB_RIGHTS, NULL, 0, FACT_HERE, false},
};

const char *const option_names[N_OPTIONS] = {
    "",       "computer", "open", "later",  "too_long", "other_rules", "no_time", "no_computer",
    "strong", "last",     "off",  "filler", "code"};

static bool is_alias(const struct str list[MAX_ALIASES], struct str word)
{
    for (int i = 0; i < MAX_ALIASES && list[i].n > 0; i++)
        if (str_is(list[i], word))
            return true;
    return false;
}

enum spare option_find(const struct languages *all, struct arena *a, struct str words)
{
    struct str word = text_fold(a, words);
    for (int t = 0; word.n > 0 && t < all->n; t++)
        for (int i = 1; i < N_OPTIONS; i++)
            if (is_alias(all->at[t]->option[i], word) || str_is(word, str_of(option_names[i])))
                return (enum spare)i;
    return OPTION_NONE;
}

enum verb command_find(const struct texts *const texts[], int n_texts, struct str word)
{
    for (int t = 0; t < n_texts; t++)
        for (int v = 1; v < N_COMMANDS; v++)
            if (is_alias(texts[t]->alias[v], word))
                return (enum verb)v;
    for (int v = 1; v < N_COMMANDS; v++)
        if (str_is(word, str_of(commands[v].name)))
            return (enum verb)v;
    return VERB_NONE;
}

/* How many letters (bytes) must be changed, added, left out or swapped with the next; 3 means more
 * than 2. */
static int distance(struct str a, struct str b)
{
    enum { LONGEST = 24 };
    int at[LONGEST + 1][LONGEST + 1];
    if (a.n > LONGEST || b.n > LONGEST)
        return 3;
    for (size_t i = 0; i <= a.n; i++)
        for (size_t j = 0; j <= b.n; j++) {
            if (i == 0 || j == 0) {
                at[i][j] = (int)(i + j);
                continue;
            }
            int best = at[i - 1][j - 1] + (a.p[i - 1] != b.p[j - 1]);
            best = at[i - 1][j] + 1 < best ? at[i - 1][j] + 1 : best;
            best = at[i][j - 1] + 1 < best ? at[i][j - 1] + 1 : best;
            if (i > 1 && j > 1 && a.p[i - 1] == b.p[j - 2] && a.p[i - 2] == b.p[j - 1] &&
                at[i - 2][j - 2] + 1 < best)
                best = at[i - 2][j - 2] + 1;
            at[i][j] = best;
        }
    return at[a.n][b.n] < 3 ? at[a.n][b.n] : 3;
}

/* The command whose name was nearly typed, VERB_NONE if none: short words allow one slip. */
static enum verb command_near(const struct texts *const texts[], int n_texts, struct str word)
{
    int best = word.n < 4 ? 1 : word.n < 7 ? 2 : 3;
    enum verb found = VERB_NONE;
    for (int t = 0; t < n_texts; t++)
        for (int v = 1; v < N_COMMANDS; v++)
            for (int i = 0; i < MAX_ALIASES && texts[t]->alias[v][i].n > 0; i++) {
                struct str name = texts[t]->alias[v][i];
                int d = name.n < 4 ? 3 : distance(name, word);
                if (d < best) {
                    best = d;
                    found = (enum verb)v;
                }
            }
    return found;
}

/* Length of the blank character at s, 0 if it is none: ASCII, no-break, ideographic. */
static size_t blank_at(struct str s)
{
    if (s.n == 0)
        return 0;
    if (s.p[0] == ' ' || (s.p[0] >= '\t' && s.p[0] <= '\r'))
        return 1;
    if (str_starts(s, STR("\xE3\x80\x80")))
        return 3;
    return str_starts(s, STR("\xC2\xA0")) ? 2 : 0;
}

/* The next word of any alphabet; *rest is moved behind it and the blanks that follow. */
static struct str next_word(struct str *rest)
{
    struct str s = *rest;
    for (size_t n; (n = blank_at(s)) > 0;)
        s = str_skip(s, n);
    size_t n = 0;
    while (n < s.n && blank_at(str_skip(s, n)) == 0)
        n++;
    struct str word = {s.p, n};
    s = str_skip(s, n);
    for (size_t k; (k = blank_at(s)) > 0;)
        s = str_skip(s, k);
    *rest = s;
    return word;
}

/* Takes "#12" out of the words, wherever it stands; the last one counts. */
static struct str take_number(struct arena *a, struct str words, int64_t *ret_no)
{
    char *p = arena_alloc(a, words.n + 1);
    struct buf b = {p, 0, words.n + 1, false};
    for (struct str rest = words, word = next_word(&rest); word.n > 0; word = next_word(&rest)) {
        struct str plain = text_fold(a, word);
        int64_t no;
        if (plain.n > 1 && plain.p[0] == '#' && str_int(str_skip(plain, 1), &no) && no > 0) {
            *ret_no = no;
            continue;
        }
        if (b.n > 0)
            buf_char(&b, ' ');
        buf_put(&b, word);
    }
    return buf_str(&b);
}

static bool keeps_words(enum verb v)
{
    return v == VERB_PING || v == VERB_CUT;
}

void command_read(const struct texts *const texts[], int n_texts, struct arena *a, struct str text,
                  struct event *ret)
{
    struct str rest = text, first = next_word(&rest), at;
    struct str word = text_fold(a, first);
    int64_t n;
    ret->verb = VERB_NONE;
    ret->version = ret->index = -1;
    if (word.n == 0)
        return;
    char lead = word.p[0];
    bool slash = lead == '/' || lead == '!';
    if (slash)
        word = str_cut(str_skip(word, 1), '@', &at);
    if (!slash && str_int(str_cut(text_fold(a, text), ' ', &at), &n) && n >= 0 && n < 1000) {
        ret->words = take_number(a, text, &ret->no);
        ret->verb = VERB_NUMBER;
        return;
    }
    if (!slash && !ret->direct)
        return;
    if (slash && word.n == 0) { /* "/ challenge": a stray blank */
        word = text_fold(a, next_word(&rest));
        word = str_cut(word, '@', &at);
    }
    ret->alias = word;
    ret->verb = command_find(texts, n_texts, word);
    if (ret->verb == VERB_NONE) {
        bool letters = word.n > 0 &&
                       ((word.p[0] >= 'a' && word.p[0] <= 'z') || (unsigned char)word.p[0] >= 0x80);
        ret->near = letters ? command_near(texts, n_texts, word) : VERB_NONE;
        if (ret->direct ||
            (slash && (ret->near != VERB_NONE || (ret->for_us && letters && lead == '/')))) {
            ret->verb = VERB_UNKNOWN;
            ret->words = take_number(a, text, &ret->no);
        }
        return;
    }
    ret->words = keeps_words(ret->verb) ? rest : take_number(a, rest, &ret->no);
}
