/* The picture of the page in the README: node picture.mjs BUILD FILE. Ann has played against Grandmother Ume for a while,
   and holds a card that takes one of the field. */
import {begin} from "./daemon.mjs";
import {chromium} from "./engines.mjs";
import {look, next, until} from "./player.mjs";

const [build, file] = process.argv.slice(2);
const HAND = 5;
const daemon = await begin(build);
const browser = await chromium();
try {
    const ann = await browser.open(daemon.url + "/", {viewport: {width: 390, height: 760}, colorScheme: "dark"});
    const press = async (text, name) => {
        const find = (t) => [...document.querySelectorAll("button")].find((b) => b.textContent.startsWith(t) && b.getClientRects().length);
        await until(text, () => ann.evaluate(`!!(${find})(${JSON.stringify(text)})`));
        await ann.evaluate(`document.querySelector("#name") && (document.querySelector("#name").value = "Ann"), (${find})(${JSON.stringify(text)}).click()`);
    };
    await press("Play the computer");
    await press("Grandmother Ume");
    await until("a card that takes another", async () => {
        const view = await ann.evaluate(look);
        const takes = view.field.filter((b) => !b.off).length === 1 && view.hand.some((b) => b.on);
        if (takes && view.hand.length <= HAND) return true;
        const what = next(view);
        if (what) await ann.tap(what);
        return false;
    }, 120);
    await new Promise((done) => setTimeout(done, 1500)); // cards have come to rest
    await ann.shot(file);
} finally {
    await browser.close();
    await daemon.end();
}
