/* Reviews and hints: the review of a record under every preset adds up, repeats exactly and judges
 * each decision by the view of its player; hints as text; the cache of reviews. */
#include <math.h>
#include "engine/test.h"

#include <stdlib.h>

#include "hint.h"
#include "match_review_make.h"
#include "fixture/match/broken_match.h"
#include "replay.h"
#include "stride.h"

static char room[SELFPLAY_RECORD_MAX];

static struct match_review *match_review_of(struct str record, uint32_t visits,
                                            struct match *ret_end)
{
    const struct match_review_how how = {.visits = visits, .seed = 3};
    struct match_review *l = NULL;
    struct rules rules;
    struct err err = {""};
    char names[1024];
    struct buf b = BUF(names);
    int line = 0;
    if (!match_review_make(record, &how, &l, ret_end, &rules, &b, &line, &err))
        fail_msg("line %d: %s", line, err.text);
    return l;
}

static struct str a_record(const char *preset, int players, uint64_t seed, int resign_in)
{
    struct rules r = rules_named(preset);
    r.rounds = r.rounds_allowed[0];
    return random_record(&r, players, seed, resign_in, room, sizeof room);
}

/* ---- reviews ---- */

static void check_lines(const struct match_review *l)
{
    int round = 0;
    for (int i = 0; i < l->n; i++) {
        const struct match_review_line *line = &l->at[i];
        assert_true(line->round >= round && line->seat < l->players);
        assert_true(line->loss >= 0 && line->loss <= line->spread && line->spread <= 1);
        assert_true(line->win >= 0 && line->win <= 1);
        round = line->round;
    }
}

static void check_sums(const struct match_review *l, const struct match *end)
{
    float all = 0, play = 0, cards = 0;
    for (int s = 0; s < l->players; s++) {
        const struct match_review_player *p = &l->player[s];
        float lost = 0, result = end->winner < 0    ? 1.0f / (float)l->players
                                 : end->winner == s ? 1
                                                    : 0;
        int n = 0;
        for (int i = 0; i < l->n; i++) {
            n += l->at[i].seat == s;
            lost += l->at[i].seat == s ? l->at[i].loss : 0;
        }
        assert_int_equal(p->decisions, n);
        assert_true(fabsf(p->lost - lost) < 1e-3f);
        assert_true(p->accuracy >= 0 && p->accuracy <= 1);
        play += p->play;
        cards += p->cards;
        all += l->round[0].start[s];
        if (end->why != MATCH_LEAVE) /* play and cards explain it all */
            assert_true(fabsf(l->round[0].start[s] + p->play + p->cards - result) < 1e-3f);
    }
    assert_true(fabsf(all - 1) < 0.02f); /* one of them wins */
    assert_true(fabsf(play) < 1e-3f && fabsf(cards) < 0.02f);
}

static void check_moments(const struct match_review *l)
{
    float least = 1;
    assert_in_range(l->n_moments, 0, REVIEW_MOMENTS);
    for (int k = 0; k < l->n_moments; k++) {
        float loss = l->at[l->moment[k]].loss;
        assert_true(loss >= 0.01f && (k == 0 || l->moment[k] > l->moment[k - 1]));
        least = loss < least ? loss : least;
    }
    for (int i = 0; i < l->n && l->n_moments == REVIEW_MOMENTS; i++) {
        bool named = false;
        for (int k = 0; k < l->n_moments; k++)
            named |= l->moment[k] == i;
        assert_true(named || l->at[i].loss <= least);
    }
}

TEST(a_review_adds_up_under_every_preset)
{
    static const struct {
        const char *preset;
        int players, resign_in;
    } matches[] = {{"sensei", 2, 0},       {"okoshki", 2, 0},      {"standard", 2, 0},
                   {"standard", 2, 20},    {"mongolopedia", 3, 0}, {"mongolopedia", 2, 0},
                   {"mongolopedia", 3, 40}};
    const int n = stride(5, sizeof matches / sizeof *matches); /* each preset is among five */
    int moments = 0, left = 0;
    for (int i = 0; i < n; i++) {
        struct match end;
        struct str record =
            a_record(matches[i].preset, matches[i].players, 11 + (uint64_t)i, matches[i].resign_in);
        struct match_review *l = match_review_of(record, (uint32_t)stride(2, 40), &end);
        assert_true(l->players == matches[i].players && l->n > 0);
        assert_int_equal(l->winner, end.winner);
        check_lines(l);
        check_sums(l, &end);
        check_moments(l);
        moments += l->n_moments;
        left += end.why == MATCH_LEAVE;
        free(l);
    }
    assert_true(moments > 10 && left >= 1); /* random play errs */
}

/* Moves of a record that stand: by whom, and after how many events of the round. */
struct standing_moves {
    int n, takebacks, round_at; /* round_at: the first of the running deal */
    int seat[4096], seen[4096];
};

static bool stand(void *arg, const struct replay_event *e, struct err *err)
{
    struct standing_moves *to = arg;
    const struct match *m = e->match;
    (void)err;
    if (e->what == REPLAY_DEAL) {
        to->round_at = to->n;
    } else if (e->what == REPLAY_MOVE) {
        to->seat[to->n] = m->gone >> e->seat & 1 ? -1 : e->seat;
        to->seen[to->n++] = m->round.n_seen;
    } else {
        to->takebacks++;
        while (to->n > to->round_at && to->seen[to->n - 1] >= m->round.n_seen)
            to->n--;
    }
    return true;
}

TEST(what_was_taken_back_is_not_reviewed)
{
    static struct broken_match w;
    int takebacks = 0, went_on = 0, agreed = 0;
    for (uint64_t seed = 0; seed < (uint64_t)stride(4, 8); seed += (uint64_t)stride(3, 1)) {
        struct match end;
        struct str record = broken_match(&w, "mongolopedia", 3, seed, BUF(room));
        struct match_review *l = match_review_of(record, (uint32_t)stride(5, 20), &end);
        static struct standing_moves d;
        struct rules rules;
        struct err err;
        char names[256];
        struct buf b = BUF(names);
        int line = 0, stood[MAX_PLAYERS] = {0};
        d = (struct standing_moves){.n = 0};
        assert_true(replay_watched(record, stand, &d, &end, &rules, &b, &line, &err));
        assert_int_equal(d.takebacks, w.takebacks);
        for (int i = 0; i < d.n; i++)
            if (d.seat[i] >= 0)
                stood[d.seat[i]]++;
        check_lines(l);
        check_moments(l);
        for (int s = 0; s < 3; s++) /* moves without a choice are no decisions */
            assert_true(l->player[s].decisions <= stood[s] &&
                        2 * l->player[s].decisions >= stood[s]);
        takebacks += w.takebacks;
        went_on += w.went_on;
        agreed += w.agreed;
        free(l);
    }
    assert_true(takebacks > stride(40, 100) && went_on > stride(0, 2) && agreed > 0);
}

TEST(the_same_record_gives_the_same_review)
{
    struct match end;
    struct str record = a_record("standard", 2, 5, 0);
    const uint32_t visits = (uint32_t)stride(5, 20);
    struct match_review *one = match_review_of(record, visits, &end),
                        *two = match_review_of(record, visits, &end);
    assert_int_equal(one->n, two->n);
    for (int i = 0; i < one->n; i++) {
        assert_true(one->at[i].loss == two->at[i].loss && one->at[i].win == two->at[i].win);
        assert_int_equal(one->at[i].reason.kind, two->at[i].reason.kind);
    }
    free(one);
    free(two);
}

/* A better player gives less away: the normal level against random play. */
static struct move half_random(void *arg, int who, const struct view *v, uint64_t seed)
{
    const struct budget some = {.visits = 60};
    struct advice a;
    if (who == 0)
        return random_move(arg, who, v, seed);
    search(v, LEVEL_NORMAL, &some, seed, &a);
    return a.move;
}

TEST(the_better_player_has_the_better_figures)
{
    struct rules r = rules_named("standard");
    r.rounds = stride(r.rounds_allowed[0], r.rounds);
    int never = 0;
    uint8_t joined[MAX_PLAYERS];
    struct match m, end;
    struct buf b = {room, 0, sizeof room, false};
    const struct selfplay s = {.rules = &r,
                               .players = 2,
                               .id = STR("M"),
                               .names = {STR("random"), STR("normal")},
                               .seed = 8,
                               .choose = half_random,
                               .arg = &never};
    assert_true(selfplay_match(&s, &b, &m, joined));
    struct match_review *l = match_review_of(buf_str(&b), (uint32_t)stride(400, 800), &end);
    int random = joined[0] == 0 ? 0 : 1;
    assert_true(l->player[1 - random].accuracy > l->player[random].accuracy + 0.1f);
    free(l);
}

TEST(a_wrong_record_gives_its_line)
{
    const struct match_review_how how = {.visits = 10, .seed = 1};
    struct str record = a_record("standard", 2, 7, 0), head = record;
    struct match_review *l = NULL;
    struct match end;
    struct rules rules;
    struct err err = {""};
    char names[1024];
    struct buf b = BUF(names);
    int line = 0;
    head.n = record.n / 2; /* cut off in the middle */
    assert_false(match_review_make(head, &how, &l, &end, &rules, &b, &line, &err));
    assert_true(line > 2 && err.text[0] && !l);
    assert_false(match_review_make(STR("{}\n"), &how, &l, &end, &rules, &b, &line, &err));
    assert_int_equal(line, 1);
}

/* ---- the mark in the record ---- */

static size_t put_mark(struct str record, const char *line_start, const char *mark, char *ret)
{
    const char *at = strstr(record.p, line_start);
    assert_non_null(at);
    const char *end = strchr(at, '\n') - 1; /* before the brace */
    size_t head = (size_t)(end - record.p), more = strlen(mark);
    memcpy(ret, record.p, head);
    memcpy(ret + head, mark, more);
    memcpy(ret + head + more, end, record.n - head);
    return record.n + more;
}

static bool replays(const char *p, size_t n)
{
    struct err err;
    int line;
    return replay_record((struct str){p, n}, NULL, &line, &err);
}

TEST(a_hint_is_marked_on_the_line_of_its_move)
{
    static char marked[SELFPLAY_RECORD_MAX];
    struct match end;
    struct str record = a_record("standard", 2, 5, 0);
    size_t n = put_mark(record, "{\"t\":\"play\"", ",\"hint\":true", marked);
    int hinted = 0;
    assert_true(replays(marked, n));
    struct match_review *l = match_review_of((struct str){marked, n}, 2, &end);
    for (int i = 0; i < l->n; i++)
        hinted += l->at[i].hinted;
    assert_int_equal(hinted, 1);
    assert_true(l->at[0].hinted);
    free(l);
    n = put_mark(record, "{\"t\":\"play\"", ",\"hint\":false", marked);
    assert_false(replays(marked, n));
    n = put_mark(record, "{\"t\":\"round_end\"", ",\"hint\":true", marked);
    assert_false(replays(marked, n));
}

/* ---- jobs ---- */

static bool not_yet(void *arg)
{
    (void)arg;
    return false;
}

static bool at_once(void *arg)
{
    (void)arg;
    return true;
}

TEST(jobs_answer_or_say_nothing)
{
    static char output[JOB_RESULT];
    struct job_pace pace = {.crowd = 1, .spent = not_yet};
    struct buf b = BUF(output);
    struct cache *kept = review_cache_open();
    bool coming;
    struct rules r = rules_named("standard");
    int never = 0;
    r.rounds = 3;
    struct str record = random_record(&r, 2, 3, 0, room, sizeof room);
    (void)never;
    match_review_job(record, &pace, &b);
    assert_true(b.n > sizeof(struct match_review) && !b.cut);
    assert_null(review_cache_find(kept, 4, 1000, &coming));
    assert_false(coming);
    review_cache_ask(kept, 4, 1000);
    assert_null(review_cache_find(kept, 4, 2000, &coming));
    assert_true(coming);
    assert_null(review_cache_find(kept, 4, 900, &coming)); /* the clock was set back */
    assert_false(coming);
    assert_null(review_cache_find(kept, 4, 1000 + REVIEW_WAIT_MS, &coming)); /* it was lost */
    assert_false(coming);
    assert_non_null(review_cache_put(kept, 4, buf_str(&b)));
    assert_int_equal(review_cache_find(kept, 4, 4000, &coming)->players, 2);
    assert_null(review_cache_put(kept, 5, (struct str){output, b.n - 1}));
    for (int64_t s = 10; s < 10 + REVIEW_CACHE_SLOTS; s++) /* others push it out */
        assert_non_null(review_cache_put(kept, s, buf_str(&b)));
    assert_null(review_cache_find(kept, 4, 6000, &coming));
    assert_non_null(review_cache_find(kept, 10 + REVIEW_CACHE_SLOTS - 1, 6000, &coming));
    cache_close(kept);
    b.n = 0;
    match_review_job(STR("{}\n"), &pace, &b);
    assert_int_equal(b.n, 0);
    pace.spent = at_once; /* no one waits any more */
    match_review_job(record, &pace, &b);
    assert_int_equal(b.n, 0);
}

/* ---- hints as text ---- */

TEST(hints_read_back)
{
    struct hint h = {.best = {MOVE_PLAY, SAKE, CARD(34)},
                     .win = 61,
                     .kind = REASON_DENIES,
                     .seat = 1,
                     .yaku = YAKU_TSUKIMI,
                     .card = SAKE,
                     .chance = 12,
                     .instead = 34},
                back;
    char text[HINT_SIZE];
    struct buf b = BUF(text);
    hint_write(&h, &b);
    assert_false(b.cut);
    assert_true(hint_read(buf_str(&b), &back));
    assert_memory_equal(&h, &back, sizeof h);
    static const char *const wrong[] = {
        "",
        "9a=9p1",
        "nonsense 61 0 -1 13 255 0 0 0 0 0 0 0 0 0 0",
        "stop 101 0 -1 13 255 0 0 0 0 0 0 0 0 0 0", /* more than all */
        "stop 61 5 -1 13 255 0 0 0 0 0 0 0 0 0 0",  /* a reason that does not exist */
        "stop 61 0 -1 13 255 0 0 0 0 0 0 0 0 0 0 0"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(hint_read(str_of(wrong[i]), &back));
    assert_true(hint_read(STR("stop 61 0 -1 13 255 0 0 0 0 0 0 0 0 0 0"), &back));
}
