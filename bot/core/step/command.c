/* See command.h and keyword.h. */
#include "command.h"
#include "keyword.h"
#include "typed.h"

#define NO_SESSION(fn)   SCOPE_NONE, false
#define ONE(scope, fn)   SCOPE_##scope, false
#define MAYBE(scope, fn) SCOPE_##scope, true
#define SAYS(key)        SCOPE_NONE, false
#define COMMAND(verb, word, letter, facts, handler, group, ...)                                    \
    [VERB_##verb] = {.name = word, letter, facts, handler, group, __VA_ARGS__},
#define EVENT(verb, letter, facts, handler) [VERB_##verb] = {.name = NULL, letter, facts, handler},
const struct command commands[N_VERBS] = {
#include "command.def"
};
_Static_assert((int)N_COMMANDS <= (int)MAX_COMMANDS, "the catalogues have room for every command");

const char *const keyword_names[N_KEYWORDS] = {
    "",
#define KEYWORD(id, name) name,
#include "keyword.def"
};

_Static_assert((int)N_KEYWORDS <= (int)MAX_KEYWORDS, "the catalogues have room for every keyword");

static bool is_alias(const struct str list[MAX_ALIASES], struct str word)
{
    for (int i = 0; i < MAX_ALIASES && list[i].n > 0; i++)
        if (str_is(list[i], word))
            return true;
    return false;
}

/* ---- names ---- */

enum keyword keyword_find(const struct languages *all, struct arena *a, struct str words)
{
    struct str word = text_fold(a, words);
    for (int t = 0; word.n > 0 && t < all->n; t++)
        for (int i = 1; i < N_KEYWORDS; i++)
            if ((i < KEYWORD_GUESSED || i > KEYWORD_GUESSED_LAST) &&
                (is_alias(texts_typed(all->at[t])->option[i], word) ||
                 str_is(word, str_of(keyword_names[i]))))
                return (enum keyword)i;
    return KEYWORD_NONE;
}

bool keyword_is(const struct languages *all, struct str folded, enum keyword k)
{
    bool found = str_is(folded, str_of(keyword_names[k]));
    for (int t = 0; !found && t < all->n; t++)
        found = is_alias(texts_typed(all->at[t])->option[k], folded);
    return found;
}

bool keyword_cut(const struct languages *all, struct arena *a, struct str *words, enum keyword k)
{
    size_t n = words->n;
    while (n > 0 && words->p[n - 1] != ' ')
        n--;
    if (keyword_find(all, a, str_skip(*words, n)) != k)
        return false;
    *words = str_trim((struct str){words->p, n});
    return true;
}

struct str keyword_option(const struct languages *all, struct arena *a, struct str word)
{
    static const enum keyword others[] = {KEYWORD_ON, KEYWORD_OFF, KEYWORD_PICTURE, KEYWORD_LEVEL};
    struct str folded = text_fold(a, word);
    for (int l = 0; l < all->n; l++) {
        const struct texts *t = texts_typed(all->at[l]);
        for (int i = KEYWORD_RULES; i < N_KEYWORDS; i++)
            if (is_alias(t->option[i], folded))
                return str_of(keyword_names[i]);
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            if (is_alias(t->option[others[i]], folded))
                return str_of(keyword_names[others[i]]);
        for (int i = 0; i < t->n_rule_words; i++)
            if (folded.n > 0 && str_is(t->rule_word[i].word, folded))
                return t->rule_word[i].key;
    }
    return word;
}

struct str command_name(const struct texts *t, enum verb v, bool plain)
{
    enum { NAME_BYTES = 32 }; /* every network takes such a name */
    for (int i = 0; i < MAX_ALIASES && t->alias[v][i].n > 0; i++) {
        struct str name = t->alias[v][i];
        bool good = !plain || name.n <= NAME_BYTES;
        for (size_t k = 0; plain && k < name.n; k++)
            good &= (name.p[k] >= 'a' && name.p[k] <= 'z') ||
                    (name.p[k] >= '0' && name.p[k] <= '9') || name.p[k] == '_';
        if (good)
            return name;
    }
    return str_of(commands[v].name);
}

/* To everybody else an operator's command is a word like others. */
static bool is_known(int verb, bool operates)
{
    return operates || commands[verb].permitted != FOR_OPERATORS;
}

static struct str alias_numbered(const struct texts *t, int no)
{
    return t->alias[no / MAX_ALIASES][no % MAX_ALIASES];
}

/* Where a word stands, or would: first come, first found. */
static size_t alias_place(const struct texts *t, struct str word)
{
    size_t at = str_hash(word) % ALIAS_PLACES;
    while (t->alias_at[at] > 0 && !str_is(alias_numbered(t, t->alias_at[at]), word))
        at = (at + 1) % ALIAS_PLACES;
    return at;
}

void command_index(struct texts *t)
{
    memset(t->alias_at, 0, sizeof t->alias_at);
    for (int v = 1; v < N_COMMANDS; v++)
        for (int i = 0; i < MAX_ALIASES && t->alias[v][i].n > 0; i++) {
            uint16_t *at = &t->alias_at[alias_place(t, t->alias[v][i])];
            *at = *at ? *at : (uint16_t)(v * MAX_ALIASES + i);
        }
}

enum verb command_find(const struct texts *const texts[], int n_texts, bool operates,
                       struct str word)
{
    for (int t = 0; t < n_texts; t++) {
        int v = texts_typed(texts[t])->alias_at[alias_place(texts[t], word)] / MAX_ALIASES;
        if (v > 0 && is_known(v, operates))
            return (enum verb)v;
    }
    for (int v = 1; v < N_COMMANDS; v++)
        if (is_known(v, operates) && str_is(word, str_of(commands[v].name)))
            return (enum verb)v;
    return VERB_NONE;
}

/* Number of letters (bytes) to change, add, leave out or swap with the next; 3 means more than
 * 2. */
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
static enum verb command_near(const struct texts *const texts[], int n_texts, bool operates,
                              struct str word)
{
    int best = word.n < 4 ? 1 : word.n < 7 ? 2 : 3;
    enum verb found = VERB_NONE;
    for (int t = 0; t < n_texts; t++)
        for (int v = 1; v < N_COMMANDS; v++)
            for (int i = 0; is_known(v, operates) && i < MAX_ALIASES && texts[t]->alias[v][i].n > 0;
                 i++) {
                struct str name = texts[t]->alias[v][i];
                size_t apart = name.n > word.n ? name.n - word.n : word.n - name.n;
                if (name.n < 4 || apart >= (size_t)best) /* each letter more is a slip */
                    continue;
                int d = distance(name, word);
                if (d < best) {
                    best = d;
                    found = (enum verb)v;
                }
            }
    return found;
}

/* Takes "#12" out of the words, wherever it stands; the last one counts. */
static struct str take_number(struct arena *a, struct str words, int64_t *ret_no)
{
    char *p = arena_alloc(a, words.n + 1);
    struct buf b = {p, 0, words.n + 1, false};
    for (struct str rest = words, word = typed_word(&rest); word.n > 0; word = typed_word(&rest)) {
        struct str plain = text_fold(a, typed_plain(a, word));
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

void command_read(const struct texts *const texts[], int n_texts, struct arena *a, struct str typed,
                  struct event *ret)
{
    struct str text = typed_plain(a, typed), rest = text, first = typed_word(&rest), at;
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
    bool alone = ret->addressed && rest.n == 0; /* "accept", in answer to the bot */
    if (!slash && !ret->direct && !alone)
        return;
    if (slash && word.n == 0) { /* "/ challenge": a stray blank */
        word = text_fold(a, typed_word(&rest));
        word = str_cut(word, '@', &at);
        (void)typed_word(&typed);
    }
    ret->alias = word;
    ret->verb = command_find(texts, n_texts, ret->operates, word);
    if (ret->verb == VERB_NONE) {
        bool letters = word.n > 0 &&
                       ((word.p[0] >= 'a' && word.p[0] <= 'z') || (unsigned char)word.p[0] >= 0x80);
        ret->near = letters ? command_near(texts, n_texts, ret->operates, word) : VERB_NONE;
        if (ret->direct ||
            (slash && (ret->near != VERB_NONE || (ret->for_us && letters && lead == '/')))) {
            ret->verb = VERB_UNKNOWN;
            ret->words = take_number(a, slash ? str_skip(text, 1) : text, &ret->no);
        }
        return;
    }
    (void)typed_word(&typed);
    enum words_of words = commands[ret->verb].words;
    ret->words = words == WORDS_AS_TYPED
                     ? typed
                     : take_number(a, words == WORDS_TEXT ? typed : rest, &ret->no);
}
