/* Options of pages: which programs may frame them, which address they say is theirs. */
#include "engine/test.h"

#include "adapters/account.h"

#include <string.h>

extern const struct adapter web_adapter;

/* "" for an account that opens. */
static struct str fault_of(const char *option, struct arena *a)
{
    const char *const options[] = {option, NULL};
    uint32_t can = web_adapter.can;
    struct limits limits = web_adapter.limits;
    struct err err = {""};
    void *account = test_account(a, &web_adapter, options);
    if (web_adapter.open(account, a, &can, &limits, &err))
        web_adapter.close(account);
    return arena_str(a, str_of(err.text));
}

static void holds(const char *const options[], const char *fault)
{
    struct arena *a = arena_open(1 << 20);
    for (; *options; options++) {
        struct str why = fault_of(*options, a);
        if (fault ? !memmem(why.p, why.n, fault, strlen(fault)) : why.n > 0)
            fail_msg("%s: %.*s", *options, STR_ARG(why));
    }
    arena_close(a);
}

TEST(programs_that_may_frame_pages_are_hosts)
{
    holds((const char *const[]){"frames=", "frames=club.example.org",
                                "frames=https://club.example.org", "frames=vector://vector",
                                "frames=https://club.example.org:8443 *.example.org", NULL},
          NULL);
}

/* In a Content-Security-Policy each of them would mean more, or end the policy. */
TEST(programs_that_may_frame_pages_are_no_patterns)
{
    holds((const char *const[]){"frames=*", "frames=https://*", "frames=https:", "frames='self'",
                                "frames=a.example.org;", "frames=*.", "frames=*a.example.org",
                                "frames=a.*.example.org", "frames=://a.example.org",
                                "frames=a.example.org:0", "frames=a.example.org:any",
                                "frames=a.example.org/page", "frames=a.example.org *",
                                "frames=* a.example.org", NULL},
          "[web] frames: expected hosts");
}

TEST(address_of_the_pages_has_no_path)
{
    holds((const char *const[]){"url=", "url=https://play.example.org",
                                "url=https://play.example.org/", "url=http://127.0.0.1:8094", NULL},
          NULL);
    holds((const char *const[]){"url=play.example.org", "url=https://", "url=ftp://example.org",
                                "url=https://example.org/play", "url=https://ann@example.org",
                                "url=https://example.org?x", "url=https://example.org#x", NULL},
          "[web] url: expected");
}
