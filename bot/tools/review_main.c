/* `koikoi review FILE`: the review of a record in the words of a catalogue. Prints the pages that
 * chats get, the whole match first, then round by round. */
#include "tool.h"

#include "file.h"
#include "match_review_make.h"
#include "present.h"
#include "record_read.h"
#include "texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A percentage, written over, if stderr is a terminal. */
static void progress(void *arg, int done, int of)
{
    int *shown = arg, now = of ? 100 * done / of : 100;
    if (now == *shown || !isatty(STDERR_FILENO))
        return;
    *shown = now;
    fprintf(stderr, done == of ? "\r      \r" : "\r%3d %%\r", now);
}

static void print_pages(const struct match_review *l, const struct table *table,
                        const struct languages *languages, struct arena *a)
{
    static const uint8_t key[PRESS_KEY_BYTES];
    const struct bot bot = {.languages = languages, .default_language = languages->at[0]->language};
    const struct world world = {.bot = &bot};
    const struct event event = {.verb = VERB_REVIEW};
    const struct network place = {.can = 0, .limits = {.prefix = STR("koikoi ")}, .key = key};
    const struct networks places = {1, &place};
    struct message *out = arena_array(a, struct message, MAX_OUTGOING);
    for (int i = 0; i <= l->n_rounds; i++) {
        struct effects *fx = arena_new(a, struct effects);
        fx->arena = a;
        struct notice *notice = effect_notice(fx, NOTICE_REVIEW, TO_HERE);
        notice->review = l;
        notice->n = i;
        notice->table = table;
        int n = present(&world, &event, fx, &places, out);
        for (int k = 0; k < n; k++)
            printf("%s%.*s\n", i ? "\n" : "", STR_ARG(out[k].out.text));
    }
}

static bool review(struct tool *t, struct str language, const struct match_review_how *how,
                   struct str record)
{
    struct languages languages;
    struct match_review *l = NULL;
    struct match end;
    struct rules rules;
    char names[8 * 1024];
    struct buf b = BUF(names);
    int line = 0;
    if (!texts_load(STR(""), language, true, t->a, &languages, &t->err))
        return false;
    if (!match_review_make(record, how, &l, &end, &rules, &b, &line, &t->err))
        return line > 0 ? err_wrap(&t->err, "%s: line %d", t->argv[0], line) : false;
    /* The table of the finished match: names and scores. */
    struct table *table = arena_new(t->a, struct table);
    struct str rest = buf_str(&b);
    *table = (struct table){.players = l->players, .phase = SESSION_OVER, .rules = rules};
    table->view.rules = rules;
    memcpy(table->view.scores, end.scores, sizeof table->view.scores);
    for (int s = 0; s < l->players; s++)
        table->player[s].name = text_clean(t->a, str_cut(rest, '\n', &rest), NAME_COLUMNS);
    print_pages(l, table, &languages, t->a);
    free(l);
    return true;
}

enum tool_status review_main(struct tool *t)
{
    int64_t visits = REVIEW_VISITS, seed = 1;
    int shown = -1;
    struct str record, language = STR("en");
    const struct tool_option options[] = {
        {"--visits", .number = &visits, .least = 1, .most = 1000 * 1000},
        {"--seed", .number = &seed, .most = 1000 * 1000},
        {"--language", .text = &language}};
    if (!tool_options(t, options, 3))
        return TOOL_MISUSED;
    if (t->argc > 1)
        err_set(&t->err, "expected one FILE, got %d", t->argc);
    if (t->argc != 1)
        return TOOL_USAGE;
    if (!file_read(t->argv[0], RECORD_FILE_LIMIT, &record, &t->err))
        return TOOL_BAD;
    const struct match_review_how how = {
        .visits = (uint32_t)visits, .seed = (uint64_t)seed, .progress = progress, .arg = &shown};
    bool good = review(t, language, &how, record);
    file_free(record);
    return good ? TOOL_GOOD : TOOL_BAD;
}
