// The edge's copies in statements, and over an hour of 200 visitors that is played within seconds (E1).
import { env } from "cloudflare:workers";
import { afterEach, expect, test, vi } from "vitest";
import { callAs } from "#tests/support/ask";
import { edgeSite } from "#tests/support/edge";
import { appOf, makeUser } from "#tests/support/factories";
import { runsOf } from "#tests/support/property-seed";
import { makeActivity, makeHut, makeSession } from "#tests/support/sessions";
import { wrappedD1 } from "#tests/support/wrapped-d1";
import { HOUR, MINUTE, SECOND } from "~/domain/time";
import { importBook } from "~/use-cases/items/books.server";

const BEGUN = Date.UTC(2026, 10, 26, 12);
afterEach(() => void vi.restoreAllMocks());

/** Counts the round trips to D1 from now on. */
function trips() {
  const seen = { count: 0 };
  const proto = Object.getPrototypeOf(env.DB) as D1Database;
  const { withSession } = proto;
  const ask = async <T>(run: () => Promise<T>) => {
    seen.count++;
    return run();
  };
  vi.spyOn(proto, "withSession").mockImplementation(function (this: D1Database, mark) {
    const session = withSession.call(this, mark as string) as unknown as D1Database;
    const counted = wrappedD1(session, { one: (_, __, run) => ask(run), batch: (_, run) => ask(run) });
    return counted as unknown as D1DatabaseSession;
  });
  return seen;
}

async function stage() {
  const host = await makeUser();
  const [session, activity, hut] = [await makeSession(host), await makeActivity(host), await makeHut(host)];
  return { session, activity, hut };
}

test("E1 R-101 a page's rendering waits for D1, and its copy runs no statement, or the one that asks whether its things are open", async () => {
  const { session, activity, hut } = await stage();
  const owner = await makeUser();
  const item = async (itemData: object) => {
    const made = await callAs(owner, "POST", "/items", {
      itemData: { title: "Kettle", status: 1, ...itemData },
    });
    return made.body.item as { id: number; path: string };
  };
  const { path: below } = await item({ parent_id: (await item({})).id });
  const { slug: book } = await importBook(await appOf(owner), { title: "Of stoves", text: "Blow gently." });
  const { get } = edgeSite();
  for (const path of [
    "/",
    "/events",
    `/sessions/${session.id}`,
    `/activities/${activity.slug}`,
    `/group/${hut.slug}`,
    below,
    `/books/${book}`,
  ]) {
    const seen = trips();
    const first = await get(path);
    const rendered = seen.count;
    const second = await get(path);
    expect([path, first.state, second.state, rendered >= 1, seen.count - rendered]).toEqual([
      path,
      "miss",
      "hit; age=0",
      true,
      ["/", "/events"].includes(path) ? 0 : 1,
    ]);
    vi.restoreAllMocks();
  }
});

/** Numbers from 0 to 1, the same in every run. */
function numbers(seed = 1) {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** The visitors of one location, as many as in an hour of 200; each opens six documents, a minute apart on average. */
const VISITORS = runsOf(200, 40);
const SPAN = (VISITORS / 200) * HOUR;
const DOCUMENTS = 6;

test("E1 in an hour of 200 visitors, copies answer at least half of the pages", async () => {
  const { session, activity, hut } = await stage();
  const next = numbers();
  const pick = <T>(of: readonly (readonly [share: number, value: T])[]): T => {
    let left = next();
    for (const [share, value] of of) {
      left -= share;
      if (left <= 0) return value;
    }
    return (of.at(-1) as readonly [number, T])[1];
  };
  // Half of them come by a link to the session, which a newsletter named.
  const first = [
    [0.5, `/sessions/${session.id}`],
    [0.3, "/"],
    [0.2, "/events"],
  ] as const;
  const later = [
    [0.3, "/events"],
    [0.2, `/sessions/${session.id}`],
    [0.15, "/"],
    [0.15, "/activities"],
    [0.1, `/activities/${activity.slug}`],
    [0.05, `/group/${hut.slug}`],
    [0.05, "/pricing"],
  ] as const;
  const settings: readonly (readonly [number, Record<string, string>])[] = [
    [0.7, { Cookie: "tz=Europe/Berlin", "Accept-Language": "de-DE,de;q=0.9" }],
    [0.2, { Cookie: "tz=Europe/Berlin; theme=dark", "Accept-Language": "de-DE,de;q=0.9" }],
    [0.1, { Cookie: "tz=Europe/London", "Accept-Language": "en-GB,en;q=0.9" }],
  ];
  const visits = Array.from({ length: VISITORS }, () => {
    const headers = pick(settings);
    let at = next() * SPAN;
    return Array.from({ length: DOCUMENTS }, (_, n) => {
      if (n > 0) at += next() * 2 * MINUTE;
      return { at, headers, path: n === 0 ? pick(first) : pick(later) };
    });
  })
    .flat()
    .sort((a, b) => a.at - b.at);
  const { get, counted } = edgeSite();
  const states = { hit: 0, stale: 0, miss: 0 };
  for (const { at, headers, path } of visits) {
    vi.setSystemTime(BEGUN + Math.floor(at / SECOND) * SECOND);
    const { state } = await get(path, headers);
    states[(state?.split(";")[0] ?? "miss") as keyof typeof states]++;
  }
  const share = (states.hit + states.stale) / visits.length;
  if (env.BENCH_PRINTS)
    console.info("E1 an hour of 200 visitors", { ...states, share, renders: counted.renders });
  expect(share).toBeGreaterThanOrEqual(0.5);
  expect(counted.renders).toBe(states.miss + states.stale);
}, 240_000);
