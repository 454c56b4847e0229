/* Why a transfer had no answer, in words for the log: what the system or the server said of host and
 * port, never what may be secret in an address. See http_transfer.h. */
#include "http_transfer.h"

#include <errno.h>
#include <string.h>

enum {
    SELF_SIGNED = 18, /* OpenSSL's results of a certificate whose issuer is not known: from this */
    UNVERIFIED = 21   /* ... to this */
};

/* "HOST:PORT" of an address, without what may be secret in it. */
static struct str place_of(CURLU *parts, char *room, size_t size)
{
    struct buf b = {room, 0, size, false};
    char *host = NULL, *port = NULL;
    curl_url_get(parts, CURLUPART_HOST, &host, 0);
    curl_url_get(parts, CURLUPART_PORT, &port, 0);
    buf_print(&b, "%s%s%s", host ? host : "?", port ? ":" : "", port ? port : "");
    curl_free(host);
    curl_free(port);
    return buf_str(&b);
}

/* The proxy of this transfer; empty if it needs none. */
static struct str proxy_of(const struct egress *egress, const struct http_transfer *t, char *room,
                           size_t size)
{
    long used = 1;
#if LIBCURL_VERSION_NUM >= 0x080700
    curl_easy_getinfo(t->easy, CURLINFO_USED_PROXY, &used);
#else
    (void)t;
#endif
    const char *proxy = used ? egress_proxy(egress) : NULL;
    CURLU *parts = curl_url();
    struct str place = {0};
    if (proxy && *proxy && parts &&
        !curl_url_set(parts, CURLUPART_URL, proxy, CURLU_DEFAULT_SCHEME | CURLU_NON_SUPPORT_SCHEME))
        place = place_of(parts, room, size);
    curl_url_cleanup(parts);
    return place;
}

/* What the system said of a connection that did not come about. */
static const char *refusal_of(int error)
{
    switch (error) {
    case ECONNREFUSED:
        return "refuses connections: nothing listens there";
    case EPERM:
    case EACCES:
        return "may not be reached: a firewall of this machine or IPAddressDeny= of its unit "
               "forbids it";
    case ENETUNREACH:
    case EHOSTUNREACH:
        return "cannot be reached: there is no way to it from this machine";
    default:
        return "does not answer";
    }
}

/* It is one line of a log. */
static void clean(struct buf *b)
{
    for (size_t i = 0; i < b->n; i++)
        if ((unsigned char)b->p[i] < ' ')
            b->p[i] = ' ';
}

void http_explain(struct http_transfer *t, const struct egress *egress, CURLcode code)
{
    char host[280], proxy[280];
    struct str to = place_of(t->parts, host, sizeof host),
               by = proxy_of(egress, t, proxy, sizeof proxy), place = by.n > 0 ? by : to;
    struct buf b = {t->why, 0, sizeof t->why, false};
    const char *what = by.n > 0 ? "the proxy " : "", *detail = t->detail;
    long error = 0;
    curl_easy_getinfo(t->easy, CURLINFO_OS_ERRNO, &error);
    switch (t->refused ? CURLE_OK : code) {
    case CURLE_OK:
        buf_print(&b, "%s", t->refused);
        break;
    case CURLE_COULDNT_RESOLVE_HOST:
        buf_print(&b, "the name %.*s was not found", STR_ARG(to));
        break;
    case CURLE_COULDNT_RESOLVE_PROXY:
        buf_print(&b, "the name of the proxy %.*s was not found", STR_ARG(by));
        break;
    case CURLE_COULDNT_CONNECT:
        if (t->inside) {
            buf_print(&b, "%.*s has no address on the public internet", STR_ARG(to));
            break;
        }
        buf_print(&b, "%s%.*s %s", what, STR_ARG(place), refusal_of((int)error));
        break;
    case CURLE_PROXY:
        buf_print(&b, "the proxy %.*s does not take us on: %s", STR_ARG(by), detail);
        break;
    case CURLE_PEER_FAILED_VERIFICATION: /* its issuer follows */
        buf_print(&b, "the certificate of %.*s is not trusted: %s", STR_ARG(to), detail);
        break;
    case CURLE_SSL_CONNECT_ERROR:
        buf_print(&b, "%.*s speaks no TLS that this machine knows: %s", STR_ARG(to), detail);
        break;
    case CURLE_OPERATION_TIMEDOUT:
        buf_print(&b, "%.*s does not answer in time%s%.*s", STR_ARG(to),
                  by.n > 0 ? ", asked through the proxy " : "", STR_ARG(by));
        break;
    case CURLE_GOT_NOTHING:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_PARTIAL_FILE:
        buf_print(&b, "%s%.*s broke the connection off", what, STR_ARG(place));
        break;
    default:
        buf_print(&b, "%.*s: %s", STR_ARG(to), curl_easy_strerror(code));
    }
    clean(&b);
}

void http_explain_issuer(struct http_transfer *t)
{
    struct buf b = {t->why, strlen(t->why), sizeof t->why, false};
    struct curl_certinfo *info = NULL;
    long result = 0;
    curl_easy_getinfo(t->easy, CURLINFO_SSL_VERIFYRESULT, &result);
    if (curl_easy_getinfo(t->easy, CURLINFO_CERTINFO, &info) || !info || info->num_of_certs < 1)
        return;
    for (struct curl_slist *s = info->certinfo[info->num_of_certs - 1]; s; s = s->next)
        if (str_starts(str_of(s->data), STR("Issuer:")))
            buf_print(&b, "; issued by \"%.*s\"", STR_ARG(str_trim(str_of(s->data + 7))));
    if (result >= SELF_SIGNED && result <= UNVERIFIED)
        buf_print(&b, ": name the file of its certificate in ca_file");
    clean(&b);
}
