/* A person at the page, who knows of it what a screen reader says: roles and names. One look, one act, whatever engine.

   `page` has evaluate(function, ...arguments) and click(role, name, list): of playwright, or of engines.mjs. */

/* In the page: what stands there, by role and name alone. */
export function look() {
    const seen = (e) => e.getClientRects().length > 0 && getComputedStyle(e).visibility !== "hidden";
    const name = (e) => (e.getAttribute("aria-label") ?? e.textContent).replace(/\s+/g, " ").trim();
    const buttons = (root) => [...root.querySelectorAll("button")].filter(seen).map((b) => ({name: name(b), off: b.getAttribute("aria-disabled") === "true", on: b.getAttribute("aria-pressed") === "true"}));
    const main = document.querySelector("main");
    const list = (called) => [...main.querySelectorAll("ul, ol")].filter((l) => seen(l) && name(l) === called);
    const inside = new Set();
    const row = (called) => list(called).flatMap((l) => {
        l.querySelectorAll("button").forEach((b) => inside.add(b));
        return buttons(l);
    });
    const hand = row("Your hand");
    const field = row("Field");
    const others = [...main.querySelectorAll("button")].filter((b) => seen(b) && !inside.has(b)).map((b) => ({name: name(b)}));
    return {
        hand, field, others,
        said: main.querySelector("[role=status]")?.textContent ?? "",
        mine: /Your move/.test(main.textContent),
        text: main.textContent.replace(/\s+/g, " "),
    };
}

/* What to do now: {role list name} of the button to tap, or null: wait. `choose` picks among several. */
export function next(view, choose = (list) => list[0]) {
    const button = (start) => view.others.find((b) => b.name.startsWith(start));
    if (button("Stop")) return {name: choose([button("Stop"), button("Koi-koi")]).name};
    for (const start of ["Ready", "Start"]) if (button(start)) return {name: button(start).name};
    if (!view.mine) return null;
    const goals = view.field.filter((b) => !b.off);
    if (goals.length) return {list: "Field", name: choose(goals).name};
    const cards = view.hand.filter((b) => !b.off && !b.on);
    return cards.length ? {list: "Your hand", name: choose(cards).name} : null;
}

export const over = (view) => view.others.some((b) => b.name.startsWith("Rematch"));

export async function until(what, holds, seconds = 30) {
    const end = Date.now() + seconds * 1000;
    for (;;) {
        const found = await holds();
        if (found) return found;
        if (Date.now() > end) throw new Error("not within " + seconds + " s: " + what);
        await new Promise((done) => setTimeout(done, 60));
    }
}

/* Plays until all see the end of the match, or `turns` taps are done; `each` is called before every tap. Fails if
   nothing changes on any screen for `idle` seconds. Returns how many different sentences the live regions said. */
export async function play(people, {each, turns = Infinity, choose, idle = 40} = {}) {
    const screens = people.map(() => "");
    const tapped = [];
    const said = new Set();
    let taps = 0;
    let changed = Date.now();
    while (taps < turns) {
        let done = 0;
        for (const [i, person] of people.entries()) {
            const view = await person.evaluate(look);
            if (screens[i] !== (screens[i] = view.text + view.hand.map((b) => b.on))) changed = Date.now();
            said.add(view.said);
            if (over(view)) {
                done++;
                continue;
            }
            const tap = next(view, choose);
            if (!tap) continue;
            /* A screen that is as it was at the last tap waits for its answer. */
            if (tapped[i]?.screen === screens[i] && Date.now() - tapped[i].at < 4000) continue;
            await each?.(person, taps, view);
            if (!(await person.tap(tap))) continue;
            tapped[i] = {screen: screens[i], at: Date.now()};
            taps++;
        }
        if (done === people.length) return said.size;
        if (Date.now() - changed > idle * 1000) throw new Error("nothing changes: " + screens.map((s) => s.slice(0, 400)).join(" | "));
        await new Promise((wait) => setTimeout(wait, 30));
    }
    return said.size;
}

/* In the page: clicks the button of that name in that list, or anywhere in main. */
export function click({list, name}) {
    const main = document.querySelector("main");
    const root = list ? [...main.querySelectorAll("ul, ol")].find((l) => l.getAttribute("aria-label") === list) : main;
    const called = (b) => (b.getAttribute("aria-label") ?? b.textContent).replace(/\s+/g, " ").trim() === name;
    const button = [...(root?.querySelectorAll("button") ?? [])].find((b) => called(b) && b.getClientRects().length);
    button?.click();
    return !!button;
}
