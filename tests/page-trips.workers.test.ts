// How often each page of the role matrix waits for D1 (D2). The pages that wait longer are named with their number, which
// may only fall.
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { assemble, type Cast, type Role } from "./roles/cast";
import { PAGE_ROWS, place } from "./roles/pages";
import type { Row } from "./roles/table";
import { shelf } from "./roles/things";
import { ask } from "./support/ask";
import { wrappedD1 } from "./support/wrapped-d1";

/** Round trips of a signed-in page; a visitor's has no login and waits once less. */
const MOST = 2;
const LONGER: Record<string, number> = {
  // An address names an item by its parent, its person and blocks; each list below would look it up again.
  ":parentItem/:childItem": 3,
  // The files of an export are read a table after another.
  "account/export/:file": 60,
};

let cast: Cast;
let things: ReturnType<typeof shelf>;
beforeAll(async () => {
  cast = await assemble();
  things = shelf(cast);
});
afterEach(() => void vi.restoreAllMocks());

async function tripsOf(row: Row, role: Role): Promise<number> {
  const user = role === "visitor" ? null : cast.of(role);
  const path = place(row.name, await things.take(row.kind, "theirs", { role, user })).replace(/^\//, "");
  const headers = { Accept: "text/html", ...(user && { Cookie: `login=${user.loginToken}` }) };
  const get = async () => (await ask(`/${path}`, { redirect: "manual", headers })).text();
  // Work after an answer, such as the time of a login's last use, is no wait of its page; the fewest count.
  await get();
  let trips = 0;
  // Statements that wait at the same time share a trip: each result is held until the others are there.
  let waiting = 0;
  let held: (() => void)[] = [];
  const count = async <T>(run: () => Promise<T>) => {
    waiting++;
    try {
      return await run();
    } finally {
      waiting--;
      await new Promise<void>((release) => {
        held.push(release);
        if (waiting > 0) return;
        trips++;
        for (const one of held) one();
        held = [];
      });
    }
  };
  const proto = Object.getPrototypeOf(env.DB) as D1Database;
  const { withSession } = proto;
  vi.spyOn(proto, "withSession").mockImplementation(function (this: D1Database, mark) {
    const session = withSession.call(this, mark as string) as unknown as D1Database;
    const counted = wrappedD1(session, { one: (_, __, run) => count(run), batch: (_, run) => count(run) });
    return counted as unknown as D1DatabaseSession;
  });
  await get();
  const first = trips;
  trips = 0;
  await get();
  vi.restoreAllMocks();
  return Math.min(first, trips);
}

test.each(["visitor", "host", "super"] as const)(
  "D2 no page waits for more round trips than its declared ones, asked by %s",
  async (role) => {
    const wrong: string[] = [];
    for (const row of PAGE_ROWS) {
      if (row.expected("theirs", role) !== "ok") continue;
      const most = (LONGER[row.name] ?? MOST) - (role === "visitor" ? 1 : 0);
      const trips = await tripsOf(row, role);
      if (trips > most) wrong.push(`${row.name} (${row.kind}): ${trips} instead of ${most}`);
    }
    expect(wrong).toEqual([]);
  },
  240_000,
);
