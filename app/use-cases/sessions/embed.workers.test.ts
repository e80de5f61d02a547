// The card of a session or series inside another site: its data, its headers, and those of every other page (J-11).
import { expect, test } from "vitest";
import { ask, askSecurely } from "#tests/support/ask";
import { makeUser, makeUsers } from "#tests/support/factories";
import { partsOf, ROOM_NOW, runningRoom, useRoomClock } from "#tests/support/rooms";
import { filled, pageRoutes } from "#tests/support/route-table";
import { makeSeries, nine, seriesNow } from "#tests/support/series";
import { makeHut, makeSession, setSession } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";
import { HOUR, SECOND } from "~/domain/time";

const at = useRoomClock();
const card = (id: number) => `/embed/sessions/${id}`;

test("J-11 the card has countdown, title, places and Join, which opens the session in a window of its own", async () => {
  const [host, a] = await makeUsers(2);
  const { id } = await runningRoom([host, a], partsOf(1200), 1200);
  await setSession(id, { participantLimit: 5 });
  const page = await visit(null, card(id));
  expect(page.status).toBe(200);
  expect(await page.texts("[data-until]")).toEqual(["20:00"]);
  expect((await page.all("[data-until]"))[0]?.attributes).toMatchObject({
    "data-until": String(ROOM_NOW + 1200 * SECOND),
    "data-now": String(ROOM_NOW),
  });
  expect(await page.texts("h1")).toEqual(["A session"]);
  expect((await page.texts("main"))[0]).toContain("3 places free");
  const [join] = await page.all("a");
  expect(join).toMatchObject({
    text: "Join",
    attributes: { href: `/sessions/${id}`, target: "_blank", rel: "noopener" },
  });
  expect(await page.all("form, input, button, iframe")).toEqual([]);
});

test("J-11 a card ignores the login, sets no cookie, and has no name or text of a participant", async () => {
  const [host, a] = await makeUsers(2);
  const { id } = await runningRoom([host, a], partsOf(1200), 1200);
  const [open, own] = [await visit(null, card(id)), await visit(host, card(id))];
  expect(own.html === open.html).toBe(true);
  expect([own.headers.get("Set-Cookie"), open.headers.get("Set-Cookie")]).toEqual([null, null]);
  for (const { username } of [host, a])
    expect([username, open.html.includes(username)]).toEqual([username, false]);
});

test("J-11 any site may frame a card, and a missing or private one is a page that no site frames", async () => {
  const [host] = await makeUsers(1);
  const hut = await makeHut(host);
  const open = await makeSession(host);
  const hidden = await makeSession(host);
  await setSession(hidden.id, { isPrivate: true, hutId: hut.id });
  const frameOf = async (path: string) => {
    const { status, headers } = await askSecurely(path, { headers: { Accept: "text/html" } });
    const [, ancestors] = /frame-ancestors ([^;]*)/.exec(headers.get("Content-Security-Policy") ?? "") ?? [];
    return [status, ancestors, headers.get("X-Frame-Options")];
  };
  expect(await frameOf(card(open.id))).toEqual([200, "*", null]);
  for (const path of [card(hidden.id), card(999_999_999), `${card(open.id)}/more`])
    expect([path, ...(await frameOf(path))]).toEqual([path, 404, "'none'", "DENY"]);
});

test("J-11 the headers of every page but the cards are byte for byte as without them", async () => {
  const page = (nonce: string) =>
    "default-src 'self'; script-src 'self' 'nonce-NONCE' https://js.stripe.com; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob: https:; font-src 'self'; connect-src 'self' wss://bothy.test https://api.stripe.com; frame-src https://js.stripe.com https://hooks.stripe.com; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; report-uri /api/csp-reports".replace(
      "NONCE",
      nonce,
    );
  const other =
    "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  const rest = {
    "strict-transport-security": "max-age=31536000; includeSubDomains",
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "permissions-policy": 'camera=(), microphone=(), geolocation=(), payment=(self "https://js.stripe.com")',
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
  };
  const wrong: string[] = [];
  for (const { path } of pageRoutes()) {
    const answer = await askSecurely(filled(path), { redirect: "manual", headers: { Accept: "text/html" } });
    await answer.text();
    const policy = answer.headers.get("Content-Security-Policy") ?? "";
    const nonce = /'nonce-([\w-]*)'/.exec(policy)?.[1] ?? "";
    const isPage = answer.headers.get("Content-Type")?.startsWith("text/html") ?? false;
    const sent = Object.fromEntries(Object.keys(rest).map((name) => [name, answer.headers.get(name)]));
    if (policy !== (isPage ? page(nonce) : other)) wrong.push(`${path}: ${policy}`);
    if (JSON.stringify(sent) !== JSON.stringify(rest)) wrong.push(`${path}: ${JSON.stringify(sent)}`);
  }
  expect(wrong).toEqual([]);
});

test("J-11 without JavaScript a card loads again each minute, and with it by its own script", async () => {
  const [host] = await makeUsers(1);
  const page = await visit(null, card((await makeSession(host)).id));
  expect((await page.allWithoutScripts('meta[http-equiv="refresh"]'))[0]?.attributes.content).toBe("60");
  expect([page.headers.get("Refresh"), await page.all('meta[http-equiv="refresh"]')]).toEqual([null, []]);
  expect((await page.all("script[src]")).map(({ attributes }) => attributes.src)).toEqual(["/embed.js"]);
});

test("J-11 the card of a series has its next session, and without one its own address", async () => {
  const host = await makeUser({ tokens: 90_000 });
  const id = await makeSeries(host, { rule: "FREQ=DAILY;COUNT=1" });
  const address = `/series/${(await seriesNow(id))?.slug}`;
  at(nine(2) - HOUR);
  const next = await visit(null, `/embed${address}`);
  expect(await next.texts("[data-until]")).toEqual(["1:00:00"]);
  expect((await next.all("a"))[0]?.attributes.href).toMatch(/^\/sessions\/\d+$/);
  at(nine(40));
  const rest = await visit(null, `/embed${address}`);
  expect((await rest.all("a"))[0]?.attributes.href).toBe(address);
  expect((await ask("/embed/series/no-such-series", { headers: { Accept: "text/html" } })).status).toBe(404);
});
