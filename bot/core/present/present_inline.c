/* Inline articles: challenges and moves that a person may post in a chat without the bot. */
#include "present_bodies.h"

#include "choice.h"
#include "rules_option.h"

static struct str sealed_id(const struct body *body, enum verb verb, int64_t no, int64_t version,
                            int64_t index)
{
    return press_write(body->network->key, (struct press){verb, no, version, index}, body->a);
}

static const struct rules *preset_of(const struct body *body, const struct rules *r)
{
    for (int i = 0; i < body->w->n_presets; i++)
        if (strcmp(body->w->presets[i].name, r->name) == 0)
            return &body->w->presets[i];
    return NULL;
}

void present_challenge_article(struct body *body, const struct rules *r, struct article *ret)
{
    struct str rounds = TN(body, T_ROUNDS, r->rounds, body_int(body, r->rounds));
    struct table *own = arena_new(body->a, struct table);
    *own = *body->table;
    own->rules = *r;
    body->table = own;
    body->words = words_for(body->t, str_of(r->words));
    body_line(body, TX(body, T_INVITE, body_name(body, 0)));
    body_line(body, TX0(body, T_OFFER_PITCH));
    part_terms(body, r);
    body_line(body, TX0(body, T_INVITE_HOW));
    const struct rules *preset = preset_of(body, r);
    int64_t packed = r->rounds;
    if (preset)
        (void)rules_option_pack(r, preset, &packed);
    struct str changes = preset ? part_changes(body, r, preset) : (struct str){0};
    *ret =
        (struct article){.id = sealed_id(body, VERB_INVITE, body->table->player[0].person,
                                         (int64_t)(str_hash(str_of(r->name)) & UINT32_MAX), packed),
                         .title = TX(body, T_INVITE_TITLE, str_of(r->name), rounds),
                         .about = changes.n ? changes : part_doublings(body, r),
                         .text = buf_str(&body->text),
                         .label = TX0(body, T_BUTTON_ACCEPT)};
}

/* The title of a move; only its player sees it. */
static struct str move_title(const struct body *body, const struct move *m)
{
    switch (m->kind) {
    case MOVE_KOIKOI:
        return body->words->word[WORD_KOIKOI];
    case MOVE_STOP:
        return body->words->word[WORD_STOP];
    case MOVE_REDEAL:
        return TX0(body, T_BUTTON_REDEAL);
    case MOVE_DECLARE:
        return part_declare(body);
    default:
        return body_card(body, m->card);
    }
}

bool present_move_article(struct body *body, int move, struct article *ret)
{
    const struct view *v = &body->table->view;
    const struct move *m = &v->legal[move];
    bool cards = m->kind == MOVE_PLAY || m->kind == MOVE_CHOOSE;
    if (m->kind == MOVE_RESIGN || choice_repeats(v->legal, move))
        return false;
    body_line(body,
              TX(body, T_MOVES_HERE, body_name(body, v->seat), body_int(body, body->table->no)));
    *ret = (struct article){
        .id = sealed_id(body, VERB_MOVE, body->table->no, body->table->version, move),
        .title = move_title(body, m),
        .about = cards ? part_move_of(body, m).line : part_turn(body),
        .text = buf_str(&body->text),
        .label = TX0(body, T_BUTTON_CONFIRM)};
    return true;
}

void present_hand_article(struct body *body, struct article *ret)
{
    const struct view *v = &body->table->view;
    body_line(body,
              TX(body, T_LOOKS_HERE, body_name(body, v->seat), body_int(body, body->table->no)));
    *ret =
        (struct article){.id = sealed_id(body, VERB_HAND, body->table->no, body->table->version, 0),
                         .title = part_turn(body),
                         .about = body_cards(body, v->hand),
                         .text = buf_str(&body->text)};
}
