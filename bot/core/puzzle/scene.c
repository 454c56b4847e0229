/* A puzzle as a scene, for its page, and the preview of its link. See puzzle.h. */
#include "scene_write.h"

#include "page.h"
#include "puzzle.h"

static struct str head(const struct draft *d)
{
    return part_puzzle_title(d, T_PUZZLE_HEAD);
}

static void say_kept(struct draft *d)
{
    page_write_as(d, NOTICE_PUZZLE_KEPT);
}

/* The topic is in the reader's arena. answer: from 1; 0: none. */
static struct scene_topic *topic_of(struct scene_reader *r, const struct puzzle_of_day *d,
                                    int answer)
{
    struct notice *notice = arena_new(r->arena, struct notice);
    struct scene_topic *topic = arena_new(r->arena, struct scene_topic);
    notice->puzzle = d;
    notice->key = T_PUZZLE_KEPT;
    notice->n = answer;
    *topic = (struct scene_topic){
        .notice = notice, .head = head, .say = part_puzzle_question, .verb = VERB_PUZZLE};
    r->topic = topic;
    return topic;
}

struct str puzzle_scene(struct scene_reader *r, const struct puzzle_of_day *d, int answer,
                        bool over, int64_t next)
{
    struct scene_topic *topic = topic_of(r, d, answer);
    if (answer) {
        topic->say = over ? part_puzzle_solution : say_kept;
        topic->done = true;
        topic->button = T_BUTTON_PUZZLE_ANOTHER;
        topic->index = PUZZLE_ANOTHER;
        topic->page = part_puzzle_path(r->key, next, r->arena);
    }
    return scene_write(r);
}

void puzzle_preview(struct scene_reader *r, const struct puzzle_of_day *day,
                    struct scene_preview *ret)
{
    struct notice *notice;
    (void)topic_of(r, day, 0);
    struct draft *d = scene_draft_shared(r, &notice);
    part_puzzle_question(d);
    part_picture_hand(d);
    *ret = (struct scene_preview){.title = draft_unmarked(d, head(d)),
                                  .sentence =
                                      scene_sentence(d, buf_str(&d->text), T_PAGE_PUZZLE_PREVIEW),
                                  .picture = d->picture};
}
