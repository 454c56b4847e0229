/* THE contract with chat networks: the verbs that translate between a network's bytes and our
 * types. The types stand beside it: update.h (what a network reports), outgoing_message.h (what the
 * bot sends, and the receipt), request.h (what goes over the wire), ability.h, exam.h and others.
 *
 * An adapter is one const row, `struct adapter`. It owns no queue, retry, thread, timer or
 * connection, and does not decide when something is sent. Strings passed to a verb live until it
 * returns; strings it returns are in the arena it was given, or constant.
 *
 *     configured(account)                    do the options ask for this network?
 *     bot(account)                           whom does the network know it as?
 *     keep(account, vault)                   once: where the account keeps keys, if it has any
 *     open(account, process, ...)            once: checks the options; err names the one at fault
 *     exam(account, exam)                    `koikoi doctor`: what it asks for
 *     examine(account, ...)                  and what it finds, instead of all below
 *     menu(account, commands, n)             the commands of the bot; again after a reload
 *     webhook(account, &webhook)             once: where the network posts its updates, if it does
 *     pages(account, &pages)                 once: where the daemon serves pages, if it is to
 *     prove(account, proving, &proof)        whom the bytes of a browser prove, or what to ask first
 *     loop:
 *         poll(account, cursor) -> request       how to ask for updates, or a descriptor to watch;
 *                                                where none can come, one that is never readable
 *         read(account, reply) -> batch          their answer -> updates and the new cursor
 *         beside(account) -> request             beside that poll: what may take long
 *         beside_read(account, reply) -> batch   its answer, between two polls, or at once
 *         self(account, name, link)              after each answer until true: who the bot is
 *         webhook_read(account, reply) -> batch  the body of a POST -> updates
 *         can_in(account, chat, can)             abilities in one chat, before a message is made
 *         one_reader(account, chat)              a private chat? once, before its first message
 *         edits(account, outgoing)               can its post become a message that is no new one?
 *         send(account, outgoing) -> request     the next step of one message
 *         receipt(account, outgoing, reply)      what became of it: SENT | MORE | LATER | NEVER
 *     close(account)
 *
 * bot, keep, beside, beside_read, self, can_in, one_reader, edits, menu, webhook, webhook_read, pages,
 * prove, exam, examine may be NULL. An account with a webhook is polled for what is left to ask.
 *
 * A network whose far end is the daemon itself, people with browsers, has `pages` and `prove`, no
 * updates of its own (bot/web brings them), and sends each message as REQUEST_KEEP.
 *
 * The loop stores batch.cursor in the transaction of its updates, so that no update is lost or
 * handled twice. A message that takes several calls answers MORE with a `progress`; the outbox
 * stores that in the row and passes it to the next send, so that the sequence survives a crash.
 *
 * To add a network: a file adapters/NAME.c, or a folder adapters/NAME/, that defines
 * `const struct adapter NAME_adapter`. The Makefile finds it, the registry lists it, the
 * configuration has a section [NAME], and the contract test covers it. No other file changes. The
 * smallest, which only writes, is tests/adapters/notebook.c.
 */
#ifndef KOIKOI_ADAPTER_H
#define KOIKOI_ADAPTER_H

#include "ability.h"
#include "arena.h"
#include "err.h"
#include "exam.h"
#include "option.h"
#include "outgoing_message.h"
#include "pages.h"
#include "proof.h"
#include "request.h"
#include "vault.h"

/* One command, as the network's own list of commands shows it. */
struct menu_entry {
    struct str language; /* "en"; empty: for all that have no list of their own */
    struct str command;  /* without '/'; letters, digits and '_' */
    struct str about;    /* one short line for people; empty: not shown */
    bool unseen;         /* its answer is for the sender alone */
    bool for_admins;     /* needs update.admin */
    bool private_only;   /* shown in private chats only */
};
/* The commands of the bot, a list for each language, made when asked for; list 0 has the empty one. */
struct menu_lists {
    int n_lists;
    const struct menu_entry *(*list)(void *arg, int list, int *ret_n);
    void *arg;
};

struct adapter {
    const char *name;             /* also the configuration section */
    const char *title;            /* as people call it */
    uint32_t can;                 /* enum ability */
    struct limits limits;         /* defaults; open may narrow or set them by option */
    size_t account_size;          /* the caller allocates it, zeroed, and sets the options in it */
    const struct option *options; /* ends with a NULL key */
    bool (*configured)(const void *account); /* the options ask for this network */
    /* True if a person of this network may have this id, and an example of one. NULL: any. */
    bool (*person)(struct str id);
    const char *person_like;
    /* Whom the network knows the account as, if the options say it, before open; empty: unknown. All
     * daemons that share a store agree there. */
    struct str (*bot)(const void *account);
    /* Which options make it configured, for the error if others of its section are set and these
     * are not. NULL: none do, it runs by name alone. */
    const char *needs;
    void (*keep)(void *account, struct vault *vault); /* before open; it outlives the account */
    /* On failure err names the option at fault, as "[name] option: reason". */
    bool (*open)(void *account, struct arena *process, uint32_t *can, struct limits *limits,
                 struct err *err) MUST_CHECK;
    /* The abilities in one chat; `can` holds those of the account. NULL: the same in all chats. */
    uint32_t (*can_in)(const void *account, struct str chat, uint32_t can);
    /* One person reads this chat. NULL: the rate limit of all chats is the same. */
    bool (*one_reader)(const void *account, struct str chat);
    /* Of a message that may only replace out->post: false if that cannot become this one, so that
     * nothing is to be sent, and no picture to be drawn. NULL: all can. */
    bool (*edits)(void *account, const struct outgoing *out);
    /* How people find the bot: its name on the network and a link that opens a chat with it or adds
     * it to one. False until the network has said so. NULL: it has none. */
    bool (*self)(const void *account, struct arena *turn, struct str *ret_name,
                 struct str *ret_link);
    void (*menu)(void *account, const struct menu_lists *menu); /* lives until the next call */
    /* The first request after open, and the one after each answer, is a REQUEST_HTTP or a
     * REQUEST_WATCH, whatever the cursor: one that cannot be read counts as none. REQUEST_NONE for
     * a moment only, while what the next one needs is not stored yet. */
    void (*poll)(void *account, struct arena *turn, struct str cursor, struct request *ret);
    /* False: there are no updates, err says why; ret.wait_ms and ret.fatal are set even then. */
    bool (*read)(void *account, struct arena *turn, const struct reply *reply, struct batch *ret,
                 struct err *err) MUST_CHECK;
    /* A request that may take long: asked for after each poll, and each answer with `no_news`, one
     * at a time. Returns false without one. May be NULL. beside_read: like read, for its answer. */
    bool (*beside)(void *account, struct arena *turn, struct request *ret);
    bool (*beside_read)(void *account, struct arena *turn, const struct reply *reply,
                        struct batch *ret, struct err *err) MUST_CHECK;
    /* True, and *ret, if the options ask for a webhook. Called after open. */
    bool (*webhook)(const void *account, struct webhook *ret);
    /* Like read, for the body of a webhook request, which is answered 200 once its updates are
     * stored; cursor, wait_ms and fatal are ignored. May be NULL if webhook is. */
    bool (*webhook_read)(void *account, struct arena *turn, const struct reply *reply,
                         struct batch *ret, struct err *err) MUST_CHECK;
    bool (*pages)(const void *account, struct pages *ret); /* the same, for pages that we serve */
    /* Whose the bytes of a browser are. What it asks for is made beside all else; the same bytes come
     * again with the answer. *ret is in the arena. May be NULL. */
    enum proved (*prove)(void *account, struct arena *a, const struct proving *p,
                         struct proof *ret);
    /* Origins of its own apps that show the page /app/NAME in a frame; NULL: none. */
    const char *framed_by;
    void (*send)(void *account, struct arena *turn, const struct outgoing *out,
                 struct request *ret);
    void (*receipt)(void *account, struct arena *turn, const struct outgoing *out,
                    const struct reply *reply, struct receipt *ret);
    void (*close)(void *account);
    /* After open, before examine; *exam lives until close. NULL: name and picture are not ours. */
    void (*exam)(void *account, const struct exam *exam);
    /* Checks the account, after open, by questions: `reply` answers the one before, NULL at first.
     * Adds to *ret, sets *next: REQUEST_NONE ends. */
    void (*examine)(void *account, struct arena *a, const struct reply *reply, struct request *next,
                    struct findings *ret);
};

#endif
