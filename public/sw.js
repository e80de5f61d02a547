// Without a network a stored page answers, or a page of ours instead of the browser's own. Only the installed app stores
// pages (app/hooks/stored-pages.ts), for the account that saw them (W-05).
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
  if (event.request.method === "POST" && /^\/my\/goals\/\d+\/log$/.test(pathname))
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
    if (page) return search === "" ? page : Response.redirect(pathname);
  }
}

/** A press on a one-press page (W-03). Without a network it waits in the outbox, which app/hooks/outbox.ts sends. */
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

/** Keeps a log for the account that saw the page; false for every other press. */
async function holdPress(form) {
  const names = (await caches.keys()).filter((name) => name.startsWith(PAGES));
  const [zone, words, held] = ["zone", "words", "held"].map((name) => form.get(name));
  if (names.length !== 1 || !zone || !words || !held) return false;
  const day = new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(Date.now());
  const entry = {
    by: names[0].slice(PAGES.length),
    call: ["POST", "/api/logs/store-quick-log"],
    body: { ...JSON.parse(held), uuid: crypto.randomUUID(), day },
    about: form.get("about"),
    words,
    day,
    refusal: null,
    isRefused: false,
  };
  const db = await new Promise((resolve, reject) => {
    const opening = indexedDB.open("outbox", 1);
    opening.onupgradeneeded = () =>
      opening.result.createObjectStore("entries", { keyPath: "id", autoIncrement: true });
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  const transaction = db.transaction("entries", "readwrite");
  transaction.objectStore("entries").add(entry);
  await new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onerror = () => reject(transaction.error);
  });
  db.close();
  return true;
}

async function forgetPages() {
  const names = (await caches.keys()).filter((name) => name.startsWith(PAGES));
  await Promise.all(names.map((name) => caches.delete(name)));
}

self.addEventListener("push", (event) => {
  const { title, body, url, series, key } = event.data.json();
  const actions = series ? [{ action: "series", title: "All dates" }] : [];
  event.waitUntil(
    // The tag makes a repeated push replace the first.
    self.registration.showNotification(title, {
      body,
      tag: key,
      icon: "/icon-192.png",
      actions,
      data: { url, series },
    }),
  );
});

self.addEventListener("notificationclick", (event) => {
  const { notification, action } = event;
  const { url, series } = notification.data;
  notification.close();
  const address = ownAddress(action === "series" ? series : url);
  event.waitUntil(Promise.all([open(address), markRead(notification.tag)]));
});

/** A push opens a page of ours, whatever it names. */
function ownAddress(url) {
  const { origin } = self.location;
  const address = URL.canParse(url, origin) ? new URL(url, origin) : null;
  return address?.origin === origin ? address.href : `${origin}/my/sessions`;
}

/** Of the user who is signed in; for anybody else, and without a network, nothing happens. */
async function markRead(key) {
  await fetch("/api/my/notices/read", {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    // Without a key the call would mark every notice.
    body: JSON.stringify({ key: String(key) }),
  }).catch(() => {});
}

async function open(address) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = windows.find((window) => window.url === address);
  await (shown ? shown.focus() : self.clients.openWindow(address));
}
