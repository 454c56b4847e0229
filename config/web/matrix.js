/* The page as a widget of a Matrix room: speaks the widget API with the client that shows it.

   The client asks first, what the widget may want (nothing) and which versions it speaks; then the page asks it for an
   OpenID token, which the person allows. Every message names the widget; the first one of the client says how it is called
   and whose answer counts. */

const host = {id: "", origin: ""};
const waiting = new Map(); /* what the page has asked, by requestId */
const ready = {};
ready.to_ask = new Promise((done) => (ready.go = done));

function say(message) {
    window.parent.postMessage(message, host.origin);
}

function ask(action, data = {}) {
    const requestId = "koikoi-" + crypto.getRandomValues(new Uint32Array(2)).join("-");
    return new Promise((done) => {
        waiting.set(requestId, done);
        say({api: "fromWidget", widgetId: host.id, requestId, action, data});
    });
}

/* What the client asks of the widget; other questions get an empty answer. */
const answers = {
    capabilities: () => ({capabilities: []}),
    supported_api_versions: () => ({supported_versions: ["0.0.1", "0.0.2"]}),
    openid_credentials: (data) => void waiting.get(data.original_request_id)?.(data),
};

function heard({source, origin, data}) {
    if (source !== window.parent || source === window || typeof data !== "object" || data === null) return;
    if (data.api === "toWidget" && data.response === undefined && typeof data.widgetId === "string") {
        if (!host.origin) Object.assign(host, {id: data.widgetId, origin});
        if (origin !== host.origin || data.widgetId !== host.id) return;
        const answer = Object.hasOwn(answers, data.action) ? answers[data.action](data.data ?? {}) : {};
        say({...data, response: answer ?? {}});
        if (data.action === "capabilities" || data.action === "notify_capabilities") ready.go();
    } else if (data.api === "fromWidget" && data.response !== undefined && origin === host.origin) {
        /* "request": the person is asked, and the client tells by openid_credentials */
        if (data.response.state !== "request") waiting.get(data.requestId)?.(data.response);
    }
}

export function frame_at() {}

/* `early` are messages of before this module was there. */
export async function frame_open(on_back, early) {
    addEventListener("message", heard);
    early.forEach(heard);
    await ready.to_ask;
    const token = await ask("get_openid");
    const {access_token, matrix_server_name} = token;
    return {bytes: JSON.stringify({access_token, matrix_server_name}), chat: new URLSearchParams(location.search).get("chat") ?? ""};
}
