/* Proxy and trusted certificates: see egress.h. */
#include "egress.h"

#include <stdlib.h>

#include "alloc.h"
#include "file.h"

enum { TRUSTED_MOST = 4 * 1024 * 1024 /* bytes of certificates */ };

static const char *proxy_of_environment(void)
{
    static const char *const names[] = {"https_proxy", "HTTPS_PROXY", "http_proxy", "all_proxy",
                                        "ALL_PROXY"};
    const char *proxy = NULL;
    for (size_t i = 0; !proxy && i < sizeof names / sizeof *names; i++)
        proxy = getenv(names[i]);
    return proxy;
}

void egress_open(struct egress *r)
{
    *r = (struct egress){.proxied = proxy_of_environment() != NULL};
}

const char *egress_proxy(const struct egress *r)
{
    return !r->proxied ? NULL : r->proxy ? r->proxy : proxy_of_environment();
}

/* Hosts at this machine are asked directly, and those that the environment names. */
static void use_proxy(struct egress *r, struct str proxy)
{
    const char *others = getenv("no_proxy");
    char list[4096];
    if (!others)
        others = getenv("NO_PROXY");
    struct buf b = BUF(list);
    buf_print(&b, "localhost,127.0.0.1,::1%s%s", others ? "," : "", others ? others : "");
    r->proxied = !str_is(proxy, STR("none"));
    r->proxy = alloc_text(proxy);
    r->no_proxy = alloc_text(buf_str(&b));
}

/* Appends the file's bytes to what is trusted. */
static bool trust_file(struct egress *r, const char *path, struct err *err)
{
    struct str bytes;
    if (!file_read(path, TRUSTED_MOST - r->trusted.n, &bytes, err))
        return false;
    char *all = alloc_grow((char *)(uintptr_t)r->trusted.p, r->trusted.n + bytes.n + 1);
    memcpy(all + r->trusted.n, bytes.p, bytes.n);
    r->trusted = (struct str){all, r->trusted.n + bytes.n};
    file_free(bytes);
    return true;
}

bool egress_use(struct egress *r, struct str ca_file, struct str proxy, const char *of_system,
                struct err *err)
{
    static const char mark[] = "-----BEGIN CERTIFICATE-----";
    struct err none;
    if (proxy.n > 0)
        use_proxy(r, proxy);
    if (ca_file.n == 0)
        return true;
    char *path = alloc_text(ca_file);
    bool read = trust_file(r, path, err);
    free(path);
    if (!read)
        return err_wrap(err, "ca_file");
    if (!memmem(r->trusted.p, r->trusted.n, mark, sizeof mark - 1))
        return err_set(err, "ca_file: expected certificates (PEM), got none in %.*s",
                       STR_ARG(ca_file));
    if (of_system)
        (void)trust_file(r, of_system, &none);
    return true;
}

void egress_close(struct egress *r)
{
    free(r->proxy);
    free(r->no_proxy);
    free((char *)(uintptr_t)r->trusted.p);
}
