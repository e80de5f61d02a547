// Without a network a stored page answers, or a page of ours instead of the browser's own. Only the installed app stores
// pages (app/hooks/outbox/stored-pages.ts), for the account that saw them (W-05).
const CACHE = "offline-1";
const PAGE = "/offline";
const PAGES = "pages:";
const ASSETS = "assets-1";

self.addEventListener("install", (event) => {
  // Only navigations need this worker. A request that goes through it is lost with the page that is left (S-16). The files
  // of stored pages come from their cache, or else from the network, without this worker.
  event.addRoutes?.([
    { condition: { urlPattern: "/assets/*" }, source: { cacheName: ASSETS } },
    { condition: { not: { requestMode: "navigate" } }, source: "network" },
  ]);
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.add(new Request(PAGE, { cache: "reload" })))
      .then(() => self.skipWaiting()),
  );
});

/** The page that logs by one press (W-03). */
const ONE_PRESS = /^\/my\/goals\/\d+\/log$/;

const isOurs = (name) => name === CACHE || name === ASSETS || name.startsWith(PAGES);

self.addEventListener("activate", (event) => {
  event.waitUntil(
    Promise.all([
      caches
        .keys()
        .then((names) =>
          Promise.all(names.filter((name) => !isOurs(name)).map((name) => caches.delete(name))),
        ),
      // The page is asked for while this worker still wakes.
      self.registration.navigationPreload?.enable(),
      self.clients.claim(),
    ]),
  );
});

self.addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate") return;
  const { pathname } = new URL(event.request.url);
  // Stored pages go with the login.
  if (event.request.method === "POST" && pathname === "/auth/logout") event.waitUntil(forgetPages());
  if (event.request.method === "POST" && ONE_PRESS.test(pathname))
    return event.respondWith(pressed(event.request));
  if (event.request.method !== "GET") return;
  event.respondWith(
    (async () => {
      try {
        return (await event.preloadResponse) ?? (await fetch(event.request));
      } catch {
        return (await storedPage(event.request.url)) ?? (await caches.match(PAGE)) ?? Response.error();
      }
    })(),
  );
});

/** The page of the path; the address then has no query, as when it was stored. */
async function storedPage(url) {
  const { pathname, search } = new URL(url);
  const names = (await caches.keys()).filter((name) => name.startsWith(PAGES));
  for (const name of names) {
    const page = await (await caches.open(name)).match(pathname, { ignoreVary: true });
    if (page && search !== "") return Response.redirect(pathname);
    if (page) return ONE_PRESS.test(pathname) ? withNewUuid(page) : page;
  }
}

/** The uuid of a press is that of its log, so that a stored page needs another one each time. */
async function withNewUuid(page) {
  const html = (await page.text()).replace(
    /name="uuid" value="[^"]*"/g,
    `name="uuid" value="${crypto.randomUUID()}"`,
  );
  return new Response(html, { headers: page.headers });
}

/** A press on a one-press page (W-03). Without a network it waits in the outbox, which app/hooks/outbox/outbox.ts sends. */
async function pressed(request) {
  const copy = request.clone();
  try {
    return await fetch(request);
  } catch {
    const page = await storedPage(request.url);
    const isHeld = page && (await holdPress(await copy.formData()));
    if (!isHeld) return (await caches.match(PAGE)) ?? Response.error();
    // The page has the sentence, hidden.
    const html = (await page.text()).replace('data-waits="" hidden=""', 'role="status"');
    return new Response(html, { headers: page.headers });
  }
}

/**
 * Keeps a log for the account that saw the page; false for every other press. The server may have stored it, with
 * only the answer lost, so it keeps its uuid.
 */
async function holdPress(form) {
  const names = (await caches.keys()).filter((name) => name.startsWith(PAGES));
  const [zone, words, held, uuid] = ["zone", "words", "held", "uuid"].map((name) => form.get(name));
  if (names.length !== 1 || !zone || !words || !held || !uuid) return false;
  const day = new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(Date.now());
  const entry = {
    by: names[0].slice(PAGES.length),
    call: ["POST", "/api/logs/store-quick-log"],
    body: { ...JSON.parse(held), uuid, day },
    about: form.get("about"),
    words,
    day,
  };
  await hold(entry);
  return true;
}

/** Adds an entry to the outbox. */
async function hold(entry) {
  const db = await new Promise((resolve, reject) => {
    const opening = indexedDB.open("outbox", 1);
    opening.onupgradeneeded = () =>
      opening.result.createObjectStore("entries", { keyPath: "id", autoIncrement: true });
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  const transaction = db.transaction("entries", "readwrite");
  transaction.objectStore("entries").add({ ...entry, refusal: null, isRefused: false });
  await new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onerror = () => reject(transaction.error);
  });
  db.close();
  const tabs = new BroadcastChannel("outbox");
  tabs.postMessage("changed");
  tabs.close();
}

async function forgetPages() {
  const names = (await caches.keys()).filter((name) => name.startsWith(PAGES));
  await Promise.all(names.map((name) => caches.delete(name)));
}

self.addEventListener("push", (event) => {
  const { title, body, url, series, key, press } = event.data.json();
  const actions = series ? [{ action: "series", title: "All dates" }] : (press?.actions ?? []);
  event.waitUntil(
    // The tag makes a repeated push replace the first.
    self.registration.showNotification(title, {
      body,
      tag: key,
      icon: "/icon-192.png",
      actions,
      data: { url, series, press },
    }),
  );
});

self.addEventListener("notificationclick", (event) => {
  const { notification, action } = event;
  const { url, series, press, undo } = notification.data;
  notification.close();
  if (action === "undo") return event.waitUntil(undoPress(notification, undo));
  const button = press?.actions.find((one) => one.action === action);
  if (button)
    return event.waitUntil(Promise.all([pressReminder(notification, button), markRead(notification.tag)]));
  const address = ownAddress(action === "series" ? series : url);
  event.waitUntil(Promise.all([open(address), markRead(notification.tag)]));
});

const UNDO_MS = 10 * 60_000;
const PRESS_PATH = "/api/my/reminders/press";
/** The server's own sentence (app/domain/goals/reminder-buttons.ts). */
const REMINDER_IS_OVER = "This reminder is over. The goal's page still logs.";

/** A button of a goal's reminder logs without a page (W-01). Without a network it waits in the outbox (W-02). */
async function pressReminder({ title, tag, data: { url, press } }, button) {
  const show = (body, undo) =>
    self.registration.showNotification(title, {
      body,
      tag,
      icon: "/icon-192.png",
      actions: undo ? [{ action: "undo", title: "Undo" }] : [],
      data: { url, undo },
    });
  const call = { token: press.token, press: button.action };
  try {
    const { isDone, answer } = await send("POST", PRESS_PATH, call);
    if (!isDone) return show(answer.message);
    const { text, log } = answer;
    const way = log
      ? { method: "DELETE", path: `/api/challenge-logs/${log.id}` }
      : { method: "POST", path: PRESS_PATH, body: { ...call, press: "unskip" } };
    return show(text, { ...way, until: Date.now() + UNDO_MS });
  } catch {
    const { day, until } = JSON.parse(atob(press.token.split(".")[0].replace(/-/g, "+").replace(/_/g, "/")));
    const at = Date.now();
    if (at > until) return show(REMINDER_IS_OVER);
    // The token's log has its own uuid, so that it is stored once however often the press is sent.
    const isHeld = await hold({
      by: press.by,
      about: press.about,
      words: button.title,
      day,
      call: ["POST", PRESS_PATH],
      body: { ...call, pressed_at: at },
    }).then(
      () => true,
      () => false,
    );
    return show(
      isHeld
        ? "There is no connection. This waits here, and is sent when the connection is back."
        : "There is no connection, so nothing was logged.",
    );
  }
}

/** For ten minutes; later the goal's page can delete the log. */
async function undoPress({ title, tag, data: { url } }, { method, path, body, until }) {
  const show = (body) =>
    self.registration.showNotification(title, { body, tag, icon: "/icon-192.png", data: { url } });
  if (Date.now() > until)
    return show("Undo was possible for ten minutes. The goal's page can still delete the log.");
  try {
    const { isDone, answer } = await send(method, path, body);
    return show(isDone ? (answer?.text ?? "Undone.") : answer.message);
  } catch {
    return show("There is no connection, so nothing was undone.");
  }
}

/** A call under the login of this browser; it throws where the server does not answer. */
async function send(method, path, body) {
  const response = await fetch(path, {
    method,
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json",
      "X-XSRF-TOKEN": await xsrfToken(),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = response.status === 204 ? null : await response.json();
  return { isDone: response.ok, answer };
}

let tokenAsked = null;
/** The XSRF token (X-03). Calls that begin together wait for the same one, because a second answer replaces the cookie. */
function xsrfToken() {
  tokenAsked ??= readXsrfToken().finally(() => {
    tokenAsked = null;
  });
  return tokenAsked;
}

/** The cookie lasts for a day, and a push may come later. */
async function readXsrfToken() {
  const read = async () => (await self.cookieStore?.get("XSRF-TOKEN"))?.value;
  const token = await read();
  if (token) return token;
  await fetch("/sanctum/csrf-cookie");
  return (await read()) ?? "";
}

/** A push opens a page of ours, whatever it names. */
function ownAddress(url) {
  const { origin } = self.location;
  const address = URL.canParse(url, origin) ? new URL(url, origin) : null;
  return address?.origin === origin ? address.href : `${origin}/my/sessions`;
}

/** Of the user who is signed in; for anybody else, and without a network, nothing happens. */
async function markRead(key) {
  // Without a key the call would mark every notice.
  await send("POST", "/api/my/notices/read", { key: String(key) }).catch(() => {});
}

async function open(address) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = windows.find((window) => window.url === address);
  await (shown ? shown.focus() : self.clients.openWindow(address));
}
