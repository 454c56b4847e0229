/* What one person is told, in answer to what they did. */
#include "letter.h"

/* True if an answer to one person would do no harm if all could read it. */
static bool harmless(const struct say *say)
{
    switch ((enum say_kind)say->kind) {
    case SAY_SCORE:
    case SAY_RULES:
    case SAY_GAMES:
    case SAY_STANDINGS:
    case SAY_HELP:
    case SAY_SETTINGS:
    case SAY_VERIFY:
    case SAY_OPPONENTS:
    case SAY_REVIEW:
        return true;
    case SAY_LINE:
        for (int i = 0; i < MAX_ARGS; i++)
            if (say->arg[i].kind == ARG_CARD)
                return false;
        return true;
    default:
        return false;
    }
}

/* Typed for all to see, it cannot be answered unseen everywhere; but it is answered, unless it may
 * have been meant for another bot. */
static void ways_on(struct presenting *pr, const struct say *say, struct page *pg,
                    struct outgoing *o)
{
    if (pr->e->verb == VERB_UNKNOWN)
        return;
    o->or_direct = letter_can(pr, CAN_DIRECT);
    o->or_aloud =
        !pr->e->pressed && pr->e->said.n > 0 && (harmless(say) || letter_can(pr, CAN_BUTTONS));
    o->reply_to = pr->e->said;
    if (o->or_aloud && !harmless(say))
        o->aloud = TX(pg, T_TAP_HAND, page_mention(pg, pr->e->from.name, pr->e->from.id));
}

void letter_whom(struct presenting *pr, struct outgoing *o)
{
    o->to = pr->e->from.id;
    o->to_name = pr->e->from.name;
}

/* The answer to a press: a passing one, or one that waits; it holds no buttons. */
static struct outgoing *popup(struct presenting *pr, struct page *pg, bool alert)
{
    struct outgoing *o = letter_new(pr, OUT_ANSWER, TO_CHAT);
    o->press = pr->e->press;
    o->alert = alert;
    pg->n_buttons = 0;
    letter_text(pr, o, pg, pr->p->limits.popup_chars);
    return o;
}

/* Where all share one message nothing can be said beside it: a popup, as much as it holds, or the
 * private chat where that is open. */
static void to_asker_elsewhere(struct presenting *pr, bool brief, struct page *pg)
{
    struct outgoing *o;
    if (pr->e->press.n > 0 && (brief || !pr->w->reachable)) {
        o = popup(pr, pg, !brief);
    } else if (pr->w->reachable) {
        o = letter_new(pr, OUT_POST, TO_DIRECT);
        o->chat = (struct str){0};
        letter_text(pr, o, pg, pr->p->limits.text_chars);
    } else {
        return;
    }
    letter_whom(pr, o);
}

/* One person alone, in answer to what they did: a popup for a press, else where only they see
 * it. */
void letter_to_asker(struct presenting *pr, const struct say *say, struct page *pg)
{
    bool brief = say->kind == SAY_LINE && pg->n_buttons == 0;
    struct outgoing *o;
    if (pr->w->can_here & CAN_ONE_POST) {
        to_asker_elsewhere(pr, brief, pg);
        return;
    }
    bool asks = say->kind == SAY_TARGETS && present_asks_by_popup(pg);
    bool alone = (pg->n_buttons == 0 || harmless(say)) && present_popup_alone(pg);
    if (pr->e->press.n > 0 && letter_can(pr, CAN_POPUP) && (brief || asks || alone)) {
        o = popup(pr, pg, !brief);
    } else {
        bool whisper = !pr->e->direct && letter_can(pr, CAN_WHISPER),
             direct = !pr->e->direct && letter_can(pr, CAN_DIRECT);
        o = letter_new(pr, OUT_POST, whisper ? TO_WHISPER : direct ? TO_DIRECT : TO_CHAT);
        o->press = pr->e->press;
        o->reply_to = o->where == TO_CHAT && !pr->e->direct ? pr->e->said : (struct str){0};
        if (o->where == TO_DIRECT) {
            o->group = o->chat; /* where it is said if that is closed */
            o->chat = (struct str){0};
        }
        if (o->where != TO_CHAT)
            ways_on(pr, say, pg, o);
        letter_text(pr, o, pg, pr->p->limits.text_chars);
    }
    letter_whom(pr, o);
}

/* A long text in as many messages as it takes, cut between lines. */
void letter_to_asker_long(struct presenting *pr, const struct say *say)
{
    int most = pr->p->limits.text_chars;
    for (struct str rest = say->text; rest.n > 0 && pr->n < MAX_OUTGOING - 2;) {
        size_t n = most == 0 || rest.n <= (size_t)most ? rest.n : (size_t)most;
        while (n < rest.n && n > 0 && rest.p[n - 1] != '\n')
            n--;
        if (n == 0)
            n = (size_t)most;
        struct say part = *say;
        part.text = str_trim((struct str){rest.p, n});
        letter_to_asker(pr, &part, letter_page(pr, &part));
        rest = str_skip(rest, n);
    }
}
