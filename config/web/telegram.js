/* The page as a Mini App: speaks Telegram's events itself, in an app's web view and in a frame of its web clients.

   What the app gives comes behind the # of the address. Out go events by TelegramWebviewProxy or postMessage, in come
   those of the same names; the few that the page needs stand here. */

const SAFE = ["top", "right", "bottom", "left"];
const proxy = window.TelegramWebviewProxy;
const inset = {}; /* px by event and side */
const schemes = new Set(); /* rules of the light table */
const back = {visible: false, tap: () => {}};

/* Who may be the parent of this page, its own policy says. */
function post(eventType, eventData = {}) {
    if (proxy) proxy.postEvent(eventType, JSON.stringify(eventData));
    else if (window.parent !== window) window.parent.postMessage(JSON.stringify({eventType, eventData}), "*");
}

/* ---- What Telegram says -------------------------------------------------------------------------- */

/* Of "#17212b": 0 is black, 1 white. */
function light(colour) {
    const n = parseInt(colour.slice(1), 16);
    return (0.299 * (n >> 16) + 0.587 * ((n >> 8) & 255) + 0.114 * (n & 255)) / 255;
}

/* The dark or the light table, as the app is; the app's own colours where no cards lie. */
function theme(colours) {
    const root = document.documentElement;
    const good = (name) => (/^#[0-9a-f]{6}$/i.test(colours[name] ?? "") ? colours[name] : "");
    const paper = good("bg_color"), print = good("text_color");
    if (!paper) return;
    const bright = light(paper) > 0.5;
    root.style.colorScheme = bright ? "light" : "dark";
    for (const sheet of document.styleSheets)
        for (const rule of sheet.cssRules)
            if (rule instanceof CSSMediaRule && rule.conditionText.includes("prefers-color-scheme: light")) schemes.add(rule);
    for (const rule of schemes) rule.media.mediaText = bright ? "all" : "not all";
    const legible = print && Math.abs(light(paper) - light(print)) > 0.5;
    for (const [name, colour] of [["--paper", paper], ["--print", print], ["--box", good("secondary_bg_color") || paper]])
        legible ? root.style.setProperty(name, colour) : root.style.removeProperty(name);
    const deep = getComputedStyle(root).getPropertyValue("--deep").trim();
    for (const place of ["header", "background", "bottom_bar"]) post(`web_app_set_${place}_color`, {color: deep});
}

/* The device's areas and those of the app's own buttons, one within the other. */
function safe(event, sides) {
    inset[event] = sides;
    for (const side of SAFE) {
        const px = Object.values(inset).reduce((sum, at) => sum + Math.max(0, Number(at[side]) || 0), 0);
        document.documentElement.style.setProperty("--safe-" + side, `max(env(safe-area-inset-${side}), ${px}px)`);
    }
}

const events = {
    theme_changed: (data) => theme(data.theme_params ?? {}),
    viewport_changed: (data) => data.is_state_stable && data.height > 0 && document.documentElement.style.setProperty("--high", data.height + "px"),
    safe_area_changed: (data) => safe("device", data),
    content_safe_area_changed: (data) => safe("app", data),
    back_button_pressed: () => back.visible && back.tap(),
};

function heard(name, data) {
    const given = typeof data === "string" ? JSON.parse(data || "{}") : data;
    if (Object.hasOwn(events, name)) events[name](given ?? {});
}

function listen() {
    window.Telegram = {WebView: {receiveEvent: heard}};
    window.TelegramGameProxy = {receiveEvent: heard};
    window.TelegramGameProxy_receiveEvent = heard;
    addEventListener("message", ({source, data}) => {
        if (source !== window.parent || source === window || typeof data !== "string") return;
        let event = null;
        try {
            event = JSON.parse(data);
        } catch {
            return;
        }
        if (event?.eventType) heard(event.eventType, event.eventData);
    });
}

/* ---- What the page says -------------------------------------------------------------------------- */

/* The page goes deeper than its start, or back to it; it is the reader's turn. */
export function frame_at(deep, turn) {
    if (back.visible !== deep) post("web_app_setup_back_button", {is_visible: (back.visible = deep)});
    if (back.turn !== turn) {
        post("web_app_setup_closing_behavior", {need_confirmation: turn});
        if (turn) post("web_app_trigger_haptic_feedback", {type: "notification", notification_type: "success"});
    }
    back.turn = turn;
}

/* What proves the reader, and the table that the button named. */
export async function frame_open(on_back) {
    const given = new URLSearchParams(location.hash.slice(1));
    const bytes = given.get("tgWebAppData") ?? "";
    history.replaceState(null, "", location.pathname);
    back.tap = on_back;
    listen();
    if (!proxy && window.parent !== window) post("iframe_ready", {reload_supported: false});
    post("web_app_ready");
    post("web_app_expand");
    post("web_app_setup_swipe_behavior", {allow_vertical_swipe: false});
    for (const what of ["theme", "viewport", "safe_area", "content_safe_area"]) post("web_app_request_" + what);
    heard("theme_changed", {theme_params: JSON.parse(given.get("tgWebAppThemeParams") ?? "{}")});
    document.addEventListener("click", (event) => {
        const on = event.target.closest("#table button:not([aria-disabled=true])");
        if (on) post("web_app_trigger_haptic_feedback", {type: "impact", impact_style: "light"});
    }, true);
    return {bytes, table: Number(new URLSearchParams(bytes).get("start_param")) || 0};
}
