// A person with a browser who opens the page of a device code, logs in, and agrees to all they are asked: the forms of
// each page are filled in and sent until there are no more.
//
//   node confirm.mjs PAGE NAME
const [, , page, name] = process.argv;
const jar = new Map();

async function open(url, options = {}) {
    for (;;) {
        const answer = await fetch(url, {...options, redirect: 'manual',
            headers: {...options.headers, cookie: [...jar].map(([k, v]) => `${k}=${v}`).join('; ')}});
        for (const cookie of answer.headers.getSetCookie()) {
            const [, key, value] = /^([^=]+)=([^;]*)/.exec(cookie);
            if (value) jar.set(key, value); else jar.delete(key);
        }
        const next = answer.headers.get('location');
        if (!next) return {url, status: answer.status, text: await answer.text()};
        url = new URL(next, url).href;
        options = {};
    }
}
const attribute = (tag, key) => new RegExp(`${key}="([^"]*)"`).exec(tag)?.[1].replaceAll('&amp;', '&');
let shown = await open(page);
for (let pages = 0; pages < 10; pages++) {
    const form = /<form[^>]*method="post"[^>]*>[^]*?<\/form>/i.exec(shown.text)?.[0];
    if (!form || shown.status >= 400) break;
    const fields = new URLSearchParams();
    for (const [tag] of form.matchAll(/<input[^>]*>/g))
        if (attribute(tag, 'name')) fields.set(attribute(tag, 'name'), attribute(tag, 'value') ?? name);
    shown = await open(new URL(attribute(form, 'action') ?? shown.url, shown.url).href, {method: 'POST', body: fields,
        headers: {'content-type': 'application/x-www-form-urlencoded'}});
}
console.log(shown.status, shown.text.replace(/<style[^]*?<\/style>|<[^>]*>/g, ' ').replace(/\s+/g, ' ').trim());
