/* One transfer of libcurl and its request, and why it had no answer. Included by http.c and
 * http_why.c alone. */
#ifndef KOIKOI_HTTP_TRANSFER_H
#define KOIKOI_HTTP_TRANSFER_H

#include <curl/curl.h>

#include "egress.h"
#include "http.h"
#include "http_watch.h"

/* First in, first out. */
struct http_line {
    struct http_transfer *first, **end;
};

/* libcurl's handle, the request it was given and the answer so far. */
struct http_transfer {
    struct http_transfer *next, *before; /* in the list of busy or idle ones */
    struct http_transfer *after;         /* in a line */
    struct http_line *line;              /* NULL: it is in libcurl's hands */
    CURLcode code;                       /* how it ended */
    CURL *easy;
    struct watch *watch; /* of its sockets */
    void *tag;
    CURLU *parts;  /* of the last address */
    size_t n_host; /* of its beginning, up to the path; 0: address is empty */
    char address[512];
    struct curl_slist *headers;
    struct str header_text; /* the same, a line each */
    curl_mime *mime;
    char *body;
    size_t n, cap, most; /* most: of the body */
    size_t n_head;       /* bytes of the answer's headers so far */
    int64_t begun;       /* monotonic ms of the first byte of the body */
    const char *refused; /* the reason why the transfer was not begun or was ended; NULL: none */
    char why[512];       /* the reason in words, once it has failed */
    char detail[CURL_ERROR_SIZE];
    bool over;    /* the answer is larger than allowed */
    bool outside; /* see request.outside */
    bool inside;  /* an address of no public network was not connected to */
    bool once;    /* a POST: libcurl may not send it again by itself */
    bool issuing; /* the request has failed; a handshake finds out who issued the certificate */
    int sent;     /* how often libcurl has begun to send it */
};

/* Sets t->why: what failed in words, with the address, without path, token and password. */
void http_explain(struct http_transfer *t, const struct egress *egress, CURLcode code);
/* Appends to t->why who issued the last certificate that the server has sent. */
void http_explain_issuer(struct http_transfer *t);

#endif
