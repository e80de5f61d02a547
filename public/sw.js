// Without a network a page of ours answers instead of the browser's own. Nothing personal is kept: only that page.
const CACHE = "offline-1";
const PAGE = "/offline";

self.addEventListener("install", (event) => {
  // Only navigations need this worker. A request that goes through it is lost with the page that is left (S-16).
  event.addRoutes?.({ condition: { not: { requestMode: "navigate" } }, source: "network" });
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.add(new Request(PAGE, { cache: "reload" })))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    Promise.all([
      caches
        .keys()
        .then((names) =>
          Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))),
        ),
      // The page is asked for while this worker still wakes.
      self.registration.navigationPreload?.enable(),
      self.clients.claim(),
    ]),
  );
});

self.addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate" || event.request.method !== "GET") return;
  event.respondWith(
    (async () => {
      try {
        return (await event.preloadResponse) ?? (await fetch(event.request));
      } catch {
        return (await caches.match(PAGE)) ?? Response.error();
      }
    })(),
  );
});

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
