/* Records of matches that break: of three one leaves and the others play on, a draw by agreement,
 * moves that are taken back. They replay and verify, an independent checker agrees, and what does
 * not fit is refused. */
#include "engine/test.h"
#include "fixture/match/broken_match.h"
#include "fixture/match/record_check.h"
#include "replay.h"
#include "stride.h"

static char room[1 << 20];

TEST(broken_matches_replay_and_another_program_agrees)
{
    static const char *const names[] = {"sensei", "mongolopedia", "okoshki", "standard"};
    const int records = stride(12, 60);
    char said[4096];
    int takebacks = 0, went_on = 0, agreed = 0;
    static struct broken_match w;
    struct record_folder folder;
    record_folder_open(&folder);
    for (int i = 0; i < records; i++) {
        struct str record =
            broken_match(&w, names[i % 4], i % 4 == 1 ? 3 : 2, (uint64_t)i, BUF(room));
        record_holds(record);
        record_folder_save(&folder, record);
        takebacks += w.takebacks;
        went_on += w.went_on;
        agreed += w.agreed;
    }
    assert_true(takebacks > 16 * records && went_on > stride(0, 5) && agreed > stride(0, 5));
    if (!record_folder_agrees(&folder, said, sizeof said))
        fail_msg("%s", said);
    record_folder_close(&folder);
}

/* ---- what does not fit ---- */

/* A match for three up to the first play of the second seat. */
static void begin(struct broken_match *w)
{
    broken_match_begin(w, "mongolopedia", 3, 4, BUF(room));
    do
        broken_match_deal(w);
    while (w->m.stage != MATCH_PLAYING);
    do
        broken_match_play(w);
    while (w->m.round.turn == 0);
}

/* The record with this line at its end is refused at that line, for this reason. */
static void refused_behind(struct broken_match *w, const char *line, const char *reason)
{
    struct err err = {""};
    size_t n = w->b.n;
    int at = 0, lines = 1;
    buf_put(&w->b, str_of(line));
    buf_char(&w->b, '\n');
    for (size_t i = 0; i < n; i++)
        lines += w->b.p[i] == '\n';
    assert_false(replay_record(buf_str(&w->b), NULL, &at, &err));
    if (at != lines || !strstr(err.text, reason))
        fail_msg("%s: line %d: %s, not line %d with \"%s\"", line, at, err.text, lines, reason);
    w->b.n = n;
}

TEST(lines_that_do_not_fit_are_refused)
{
    static struct broken_match w;
    struct round_log log = {.n = 0};
    begin(&w);
    char line[128];
    int seen = w.m.round.n_seen;
    refused_behind(&w, "{\"t\":\"takeback\",\"p\":0,\"lines\":0}", "lines");
    snprintf(line, sizeof line, "{\"t\":\"takeback\",\"p\":0,\"lines\":%d}", seen + 1);
    refused_behind(&w, line, "lines");
    snprintf(line, sizeof line, "{\"t\":\"takeback\",\"p\":1,\"lines\":%d}", seen);
    refused_behind(&w, line, "p: expected the seat whose line");
    snprintf(line, sizeof line, "{\"t\":\"takeback\",\"p\":0,\"lines\":%d,\"x\":1}", seen);
    refused_behind(&w, line, "x");
    refused_behind(&w, "{\"t\":\"agree\",\"p\":3,\"what\":\"draw\"}", "p");
    refused_behind(&w, "{\"t\":\"agree\",\"p\":0,\"what\":\"win\"}", "what");
    refused_behind(&w, "{\"t\":\"leave\",\"p\":0,\"why\":\"resign\",\"goes_on\":false}", "goes_on");
    match_go_on(&w.m, 1, &log);
    broken_match_log(&w, &log);
    refused_behind(&w, "{\"t\":\"leave\",\"p\":1,\"why\":\"resign\"}", "was not left");
    refused_behind(&w, "{\"t\":\"agree\",\"p\":1,\"what\":\"draw\"}", "was not left");
    refused_behind(&w, "{\"t\":\"leave\",\"p\":2,\"why\":\"resign\",\"goes_on\":true}",
                   "the first of three");
    match_leave(&w.g, &w.m, 2, &log);
    broken_match_log(&w, &log);
    assert_non_null(
        strstr(room, "{\"t\":\"leave\",\"p\":1,\"why\":\"resign\",\"goes_on\":true}\n"));
    assert_int_equal(w.m.winner, 0);
    record_holds(buf_str(&w.b));
}

/* What the drawn card did is no decision of its own, unless it had a choice. */
TEST(a_draw_without_choice_is_not_taken_back_alone)
{
    static struct broken_match w;
    begin(&w);
    if (w.m.round.seen[w.m.round.n_seen - 1].seat_kind % 16 != SEEN_DRAW)
        fail_msg("the deal has changed: choose another seed");
    refused_behind(&w, "{\"t\":\"takeback\",\"p\":0,\"lines\":1}",
                   "expected all lines since a decision");
}
