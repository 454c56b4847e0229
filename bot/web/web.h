/* Pages: tables in a browser. Routes, files, who a browser is, streams of scenes and letters, presses
 * that become updates of the person's own account. The interface that pages use is in README.md.
 *
 *     web_open(&parts, &web, &err)                       listens
 *     poll server_fd(web_server(web)), at most web_wait() ms
 *     while (web_next(web, turn, &act)) ...              runs the server; what people did
 *     (the update is stored: one transaction)
 *     web_handled(web, turn, act.visit, act.asked)       answers it
 *     web_committed(web)                                 after each commit: readers learn of it
 *     web_close(web)                                     ends all streams
 *
 * All of it reads the store outside of transactions. Nothing is queued for a reader: a stream is
 * asked for more when its browser has taken all, and says how things are then. */
#ifndef KOIKOI_WEB_H
#define KOIKOI_WEB_H

#include "inbox_pages.h"
#include "pictures.h"
#include "server.h"

struct web;

/* All of it outlives the pages. */
struct web_parts {
    struct store *store;
    struct inbox *inbox;
    struct outbox *outbox;
    struct http *http; /* asks networks whose a proof is */
    const struct clock *clock;
    int n_accounts;
    const struct account *accounts;
    const struct account *own; /* the one whose adapter has pages */
    struct decks *decks;       /* of previews */
    struct work *drawing;      /* draws them; NULL: they have no picture */
    struct pages pages;        /* with `listen` set */
};

bool web_open(const struct web_parts *parts, struct web **ret, struct err *err) MUST_CHECK;
void web_close(struct web *web);
struct server *web_server(const struct web *web);
/* The link of the start page, without a slash at its end. */
struct str web_link(const struct web *web);

/* What somebody did. */
struct web_act {
    struct server_request *visit;
    struct web_asked *asked;       /* who did what, for web_handled() */
    const struct account *account; /* of the update */
    struct update update;
};
/* Answers requests until one needs more than that. Returns false if none is left. Strings are in the
 * arena, or live until the visit is answered. */
bool web_next(struct web *web, struct arena *turn, struct web_act *ret);
void web_handled(struct web *web, struct arena *turn, struct server_request *visit,
                 struct web_asked *asked);
void web_committed(struct web *web);
/* The end of one of its jobs on `drawing`, good or bad: those with this tag. */
enum { WEB_JOB = 1 };
void web_drawn(struct web *web, const struct job_done *done);
/* The answer to a request whose tag begins with FLIGHT_PROOF. */
void web_proved(struct web *web, const void *tag, const struct reply *reply);
/* Another process has written to the store: every reader looks anew. */
void web_look(struct web *web);
/* Milliseconds until web_next() must run again. */
int web_wait(const struct web *web);

#endif
