/* Answers to the sender of an event: popup, ephemeral message, private chat or the chat itself;
 * files in private alone. */
#include "message.h"

/* True if everybody in the chat may read this answer. */
static bool may_be_public(const struct notice *notice)
{
    switch ((enum notice_kind)notice->kind) {
    case NOTICE_SCORE:
    case NOTICE_RULES:
    case NOTICE_SETS:
    case NOTICE_GAMES:
    case NOTICE_STANDINGS:
    case NOTICE_TOURNAMENT:
    case NOTICE_HELP:
    case NOTICE_SETTINGS:
    case NOTICE_VERIFY:
    case NOTICE_OPPONENTS:
    case NOTICE_REVIEW:
        return true;
    case NOTICE_LINE:
        for (int i = 0; i < MAX_ARGS; i++)
            if (notice->arg[i].kind == ARG_CARD)
                return false;
        return true;
    default:
        return false;
    }
}

static bool is_played_here(const struct render *render, const struct table *t)
{
    for (int i = 0; i < t->n_venues; i++)
        if (t->venue[i].account == render->e->account && str_is(t->venue[i].chat, render->e->chat))
            return true;
    return false;
}

/* True for an answer to a command that was typed in a group, certainly for this bot. */
static bool is_typed_here(const struct render *render)
{
    const struct event *e = render->e;
    bool command = e->verb < N_COMMANDS || (e->verb == VERB_UNKNOWN && e->for_us);
    return command && !e->direct && !e->pressed && e->press.n == 0;
}

/* True if all may read this answer, and it shows no match of another chat. */
static bool may_be_read_here(const struct render *render, const struct notice *notice)
{
    if (notice->table && !is_played_here(render, notice->table))
        return false;
    for (int i = 0; i < notice->n_games; i++)
        if (!is_played_here(render, notice->games[i]))
            return false;
    return notice->kind != NOTICE_REVIEW && may_be_public(notice);
}

/* True if the answer to a question belongs where it was typed, in a group for all to read. A
 * refusal, and the question which match is meant, are hidden there if the network can. */
static bool is_asked_aloud(const struct render *render, const struct notice *notice)
{
    bool to_all = notice->kind != NOTICE_LINE && notice->key != T_WHICH_MATCH;
    if (notice->opens)
        return false;
    return is_typed_here(render) && (to_all || !message_can(render, CAN_WHISPER)) &&
           may_be_read_here(render, notice);
}

/* Lets a hidden answer go to the private chat or the group if the network refuses it. What was
 * typed in a group is answered there: by the answer, or by a line that tells where it is. A command
 * of another bot, perhaps (VERB_UNKNOWN), gets no such answer. */
static void allow_fallbacks(struct render *render, const struct notice *notice, struct body *body,
                            struct outgoing *o)
{
    if (render->e->verb == VERB_UNKNOWN && !is_typed_here(render))
        return;
    o->or_direct = message_can(render, CAN_DIRECT) && !is_typed_here(render);
    bool to_all = may_be_read_here(render, notice);
    o->or_aloud = !render->e->pressed && render->e->said.n > 0 &&
                  (to_all || message_can(render, CAN_BUTTONS));
    o->reply_to = render->e->said;
    if (o->or_aloud && !to_all)
        o->aloud =
            TX(body, T_TAP_HAND, body_mention(body, render->e->from.name, render->e->from.id));
}

void message_to_sender(struct render *render, struct outgoing *o)
{
    o->to = render->e->from.id;
}

/* A popup, the answer to a press: it passes, or waits for a tap (alert). It has no buttons. */
static struct outgoing *popup_answer(struct render *render, struct body *body, bool alert)
{
    struct outgoing *o = message_new(render, OUT_ANSWER, TO_CHAT);
    o->press = render->e->press;
    o->alert = alert;
    body->n_buttons = 0;
    message_text(render, o, body, render->network->limits.popup_chars);
    return o;
}

/* In inline mode the bot can post nothing beside the shared message: the answer is a popup, cut to
 * its limit, or goes to the private chat where that is open. */
static void to_asker_inline(struct render *render, bool brief, struct body *body)
{
    struct outgoing *o;
    if (render->e->press.n > 0 && (brief || !render->w->reachable)) {
        o = popup_answer(render, body, !brief);
    } else if (render->w->reachable) {
        o = message_new(render, OUT_POST, TO_DIRECT);
        o->chat = (struct str){0};
        message_text(render, o, body, render->network->limits.text_chars);
    } else {
        return;
    }
    message_to_sender(render, o);
}

/* The lessons of a person stand in one message, until they ask for it anew. */
static void replace_lesson(struct render *render, const struct notice *notice, struct outgoing *o)
{
    o->slot = message_slot(render, "lesson", render->w->me, render->fx->prefs.lesson_message);
    o->notify = notice->fresh;
}

/* Instead of an answer about a card, where all would read it: the hand, which only its owner
 * sees. */
static struct body *in_hand_only(struct render *render, const struct notice *notice)
{
    struct body *body = message_blank_body(render, notice);
    body_line(body,
              TX(body, T_TAP_HAND, body_mention(body, render->e->from.name, render->e->from.id)));
    return body;
}

/* A line in the group for what was typed there and is answered in private. */
static void tell_where(struct render *render, const struct notice *notice)
{
    for (int i = 0; i < render->n; i++) /* an answer of several parts */
        if (render->out[i].out.where == TO_CHAT && render->out[i].out.kind == OUT_POST)
            return;
    struct body *body = message_blank_body(render, notice);
    struct outgoing *o = message_new(render, OUT_POST, TO_CHAT);
    body_line(body, TX(body, T_ANSWER_IN_PRIVATE,
                       body_mention(body, render->e->from.name, render->e->from.id)));
    o->reply_to = render->e->said;
    message_text(render, o, body, render->network->limits.text_chars);
}

void message_to_asker(struct render *render, const struct notice *notice, struct body *body)
{
    if (notice->kind == NOTICE_SETS && (!message_can(render, CAN_PICTURE) || part_popup_only(body)))
        return;
    bool brief = notice->kind == NOTICE_LINE && body->n_buttons == 0;
    struct outgoing *o;
    if (render->w->can_here & CAN_ONE_POST) {
        to_asker_inline(render, brief, body);
        return;
    }
    bool asks = (notice->kind == NOTICE_TARGETS && part_asks_by_popup(body)) ||
                notice->kind == NOTICE_LESSON_REFUSAL ||
                (notice->kind == NOTICE_PUZZLE_KEPT && !render->e->direct);
    bool alone = (body->n_buttons == 0 || may_be_public(notice)) && part_popup_only(body);
    if (render->e->press.n > 0 && message_can(render, CAN_POPUP) && (brief || asks || alone)) {
        o = popup_answer(render, body, !brief);
    } else {
        bool alone_there = !render->e->direct && !is_asked_aloud(render, notice),
             whisper = alone_there && message_can(render, CAN_WHISPER),
             direct = alone_there && message_can(render, CAN_DIRECT);
        o = message_new(render, OUT_POST, whisper ? TO_WHISPER : direct ? TO_DIRECT : TO_CHAT);
        o->press = render->e->press;
        o->reply_to = o->where == TO_CHAT && !render->e->direct ? render->e->said : (struct str){0};
        if (o->where == TO_DIRECT) {
            o->group = o->chat; /* the fallback if that is closed */
            o->chat = (struct str){0};
        }
        if (o->where != TO_CHAT)
            allow_fallbacks(render, notice, body, o);
        else if (notice->kind == NOTICE_LINE && !render->e->direct && !may_be_public(notice))
            body = in_hand_only(render, notice);
        message_text(render, o, body, render->network->limits.text_chars);
        message_picture(render, o, body);
        if (notice->kind == NOTICE_LESSON)
            replace_lesson(render, notice, o);
    }
    message_to_sender(render, o);
    if (o->where == TO_DIRECT && is_typed_here(render) && render->w->reachable)
        tell_where(render, notice);
}

/* Length of the whole lines at the start that have at most so many bytes; of a part of the first
 * line if that is longer. */
static size_t whole_lines(struct str s, size_t most)
{
    size_t n = s.n <= most ? s.n : most;
    while (n < s.n && n > 0 && s.p[n - 1] != '\n')
        n--;
    return n == 0 ? most : n;
}

static void in_several(struct render *render, const struct notice *notice)
{
    int most = render->network->limits.text_chars;
    for (struct str rest = notice->text; rest.n > 0 && render->n < MAX_OUTGOING - 2;) {
        size_t n = whole_lines(rest, most == 0 ? SIZE_MAX : (size_t)most);
        struct notice part = *notice;
        part.text = str_trim((struct str){rest.p, n});
        message_to_asker(render, &part, message_body(render, &part));
        rest = str_skip(rest, n);
    }
}

/* In the private chat; where that is closed, a line in the group with the link that opens it. It
 * brings a player the record; for others a match of this group has no number there. */
static void in_private(struct render *render, struct body *body, struct outgoing *o)
{
    struct str name = body_mention(body, render->e->from.name, render->e->from.id);
    o->where = TO_DIRECT;
    o->group = o->chat;
    o->chat = (struct str){0};
    o->or_aloud = true;
    o->reply_to = render->e->said;
    bool plays = false;
    for (int i = 0; i < body->table->players; i++)
        plays |= render->w->me && body->table->player[i].person == render->w->me;
    o->aloud = plays ? TX(body, T_EXPORT_CLOSED, name)
                     : TX(body, T_EXPORT_CLOSED_AGAIN, name, body_command(body, VERB_EXPORT));
    body_button(body, TX0(body, T_BUTTON_OPEN), plays ? VERB_EXPORT : VERB_START, 0, BUTTON_LINK);
}

void message_record(struct render *render, const struct notice *notice)
{
    bool apart = !render->e->direct &&
                 (!message_can(render, CAN_DIRECT) || (render->w->can_here & CAN_ONE_POST));
    if (!message_can(render, CAN_FILE) || notice->text.n > OUT_FILE_MOST || apart) {
        in_several(render, notice);
        return;
    }
    struct body *body = message_body(render, notice);
    struct outgoing *o = message_new(render, OUT_POST, TO_CHAT);
    if (!render->e->direct)
        in_private(render, body, o);
    message_text(render, o, body, render->network->limits.caption_chars);
    o->file_name = arena_print(render->fx->arena, "%.*s.koikoi", STR_ARG(notice->table->match_id));
    o->file = notice->text;
    message_to_sender(render, o);
    if (o->where == TO_DIRECT && is_typed_here(render) && render->w->reachable)
        tell_where(render, notice);
}

/* A file of its own for each OUT_FILE_MOST bytes. */
void message_data(struct render *render, const struct notice *notice)
{
    if (!message_can(render, CAN_FILE)) {
        in_several(render, notice);
        return;
    }
    int no = 0;
    for (struct str rest = notice->text; rest.n > 0 && render->n < MAX_OUTGOING - 2;) {
        size_t n = whole_lines(rest, OUT_FILE_MOST);
        struct body *body = message_blank_body(render, notice);
        struct outgoing *o = message_new(render, OUT_POST, TO_CHAT);
        body_line(body, TX0(body, T_MYDATA_HEAD));
        message_text(render, o, body, render->network->limits.caption_chars);
        o->file_name = no == 0 && n == rest.n
                           ? STR("mydata.jsonl")
                           : arena_print(render->fx->arena, "mydata-%d.jsonl", no + 1);
        o->file = (struct str){rest.p, n};
        message_to_sender(render, o);
        rest = str_skip(rest, n);
        no++;
    }
}
