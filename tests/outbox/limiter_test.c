/* Rate limiters: what goes at once, what waits, and that a limit holds in any window. */
#include "engine/test.h"
#include "fixture/scratch.h"

#include "limiter.h"

enum { MINUTE = 60000 };

TEST(all_go_at_once_into_a_quiet_chat_and_none_into_a_full_one)
{
    struct rate rate = {3, 10000};
    struct window w = {0};
    int64_t now = 5000000;
    for (int i = 0; i < 3; i++) {
        assert_true(window_next(&w, rate, 0, now) <= now);
        window_charge(&w, rate, now);
    }
    assert_int_equal(window_used(&w, rate, now), 3);
    assert_true(window_next(&w, rate, 0, now) > now + 10000);
    now = window_next(&w, rate, 0, now);
    assert_int_equal(window_used(&w, rate, now), 0); /* they left together */
    for (int i = 0; i < 3; i++) {
        assert_true(window_next(&w, rate, 0, now) <= now);
        window_charge(&w, rate, now);
    }
    assert_true(window_next(&w, rate, 0, now) > now);
    window_close(&w);
}

/* Taps of a game come apart: what waits, waits for the oldest alone. */
TEST(the_next_goes_when_the_oldest_leaves)
{
    struct rate rate = {3, 10000};
    struct window w = {0};
    window_charge(&w, rate, 1000000);
    window_charge(&w, rate, 1004000);
    window_charge(&w, rate, 1005000);
    assert_int_equal(window_next(&w, rate, 0, 1006000), 1010001);
    assert_int_equal(window_next(&w, rate, 1, 1006000), 1014001);
    assert_int_equal(window_next(&w, rate, 3, 1006000), 1016001); /* behind three that go now */
    assert_int_equal(window_used(&w, rate, 1010001), 2);
    assert_int_equal(window_idle_at(&w, rate), 1015001);
    window_close(&w);
}

/* A sender that takes each chance as soon as it comes, for ten minutes. */
TEST(no_minute_holds_more_than_the_limit_of_a_chat)
{
    enum { SENDS = 4000 };
    static int64_t sent[SENDS];
    for (int limit = 1; limit <= 120; limit++) {
        struct limits limits = {.per_chat_minute = limit};
        struct rate rate = rate_of_chat(&limits);
        struct window w = {0};
        int64_t now = 1000000;
        int n = 0;
        for (int64_t end = now + 10 * MINUTE; now <= end && n < SENDS; n++) {
            int64_t next = window_next(&w, rate, 0, now);
            now = next > now ? next : now;
            sent[n] = now;
            window_charge(&w, rate, now);
            now += n % 7 == 0 ? 137 : 0; /* not all at the same moment */
        }
        assert_true(n >= 10 * limit); /* it does not stand still either */
        for (int i = 0; i + limit < n; i++)
            assert_true(sent[i + limit] - sent[i] >= MINUTE);
        window_close(&w);
    }
}

TEST(an_account_has_its_own_rate_and_burst)
{
    struct limits limits = {.account_per_second_x100 = 20, .account_burst = 10};
    struct refill refill = refill_of_account(&limits);
    assert_int_equal(refill.interval, 5000);
    assert_int_equal(refill.burst, 10);
    limits.account_burst = 0;
    assert_int_equal(refill_of_account(&limits).burst, 1);
}

TEST(burst_of_an_account_goes_at_once_and_the_rest_by_the_interval)
{
    struct refill refill = {1000, 3};
    struct bucket b = {0};
    int64_t now = 5000000;
    for (int i = 0; i < 3; i++) {
        assert_true(bucket_next(&b, refill) <= now);
        bucket_charge(&b, refill, now);
    }
    for (int i = 1; i <= 5; i++) {
        assert_int_equal(bucket_next(&b, refill), now + 1000);
        now += 1000;
        bucket_charge(&b, refill, now);
    }
    now += 3000; /* quiet for a burst: a whole one is there again */
    for (int i = 0; i < 3; i++) {
        assert_true(bucket_next(&b, refill) <= now);
        bucket_charge(&b, refill, now);
    }
    assert_true(bucket_next(&b, refill) > now);
}

TEST(without_a_limit_everything_goes_now)
{
    struct limits limits = {0};
    struct rate chat = rate_of_chat(&limits);
    struct refill refill = refill_of_account(&limits);
    struct window w = {0};
    struct bucket b = {0};
    for (int i = 0; i < 1000; i++) {
        window_charge(&w, chat, 42);
        bucket_charge(&b, refill, 42);
        assert_true(window_next(&w, chat, i, 42) <= 42);
        assert_true(bucket_next(&b, refill) <= 42);
        assert_true(bucket_half_left(&b, refill, 42));
    }
    assert_true(window_idle_at(&w, chat) <= 42);
    assert_null(w.sent); /* and costs nothing */
}

TEST(half_of_a_burst_is_told_from_less)
{
    struct refill refill = {1000, 10};
    struct bucket b = {0};
    int64_t now = 9000000;
    for (int i = 0; i < 5; i++) {
        assert_true(bucket_half_left(&b, refill, now));
        bucket_charge(&b, refill, now);
    }
    assert_true(bucket_half_left(&b, refill, now));
    bucket_charge(&b, refill, now);
    assert_false(bucket_half_left(&b, refill, now));
    assert_true(bucket_half_left(&b, refill, now + 1000));
}
