/* What pages are sent, and whether it names a card that another holds at that moment.

     await page.addInitScript(listen);  ...  const scenes = await secret(people);

   `people` have evaluate(), as in player.mjs. */

/* In the page: wraps fetch, so that window.heard holds all that came, as text. */
export function listen() {
    window.heard = [];
    const wrapped = window.fetch;
    window.fetch = async (...what) => {
        const answer = await wrapped(...what);
        const at = window.heard.push("") - 1;
        const reader = answer.clone().body.pipeThrough(new TextDecoderStream()).getReader();
        (async () => {
            for (let part; !(part = await reader.read().catch(() => ({done: true}))).done;) window.heard[at] += part.value;
        })();
        return answer;
    };
}

async function scenes(person) {
    const heard = await person.evaluate(() => window.heard.join("\n"));
    return heard.split("\n").filter((l) => /"names":\{/.test(l)).map((l) => {
        const text = l.slice(l.indexOf('{"t"'));
        try {
            return {scene: JSON.parse(text.endsWith("}}}") && l.startsWith("{") ? text.slice(0, -1) : text), text};
        } catch {
            return null;
        }
    }).filter(Boolean);
}

/* Fails if a scene of one names a card of another's hand in the same version. Returns how many were compared. */
export async function secret(people) {
    const heard = await Promise.all(people.map(scenes));
    const hidden = [];
    let compared = 0;
    for (const mine of heard)
        for (const theirs of heard)
            for (const {scene, text} of mine === theirs ? [] : mine) {
                const other = theirs.find((o) => o.scene.t === scene.t && o.scene.v === scene.v);
                if (!other) continue;
                compared++;
                for (const {card} of other.scene.hand) if (text.includes(`"${card}"`)) hidden.push(`version ${scene.v} shows ${card}`);
            }
    if (compared <= 20) throw new Error(`expected more than 20 scenes to compare, got ${compared}`);
    if (hidden.length) throw new Error(hidden.slice(0, 3).join("; "));
    return compared;
}
