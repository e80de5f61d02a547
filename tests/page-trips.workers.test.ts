// How often each page of the role matrix waits for D1 (D2). The pages that wait longer are named with their number, which
// may only fall.
import { beforeAll, expect, test } from "vitest";
import { assemble, type Cast, type Role } from "./roles/cast";
import { PAGE_ROWS, place } from "./roles/pages";
import type { Row } from "./roles/table";
import { shelf } from "./roles/things";
import { ask } from "./support/ask";
import { fewestTrips } from "./support/trips";

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

async function stagePage(row: Row, role: Role) {
  const user = role === "visitor" ? null : cast.of(role);
  const path = place(row.name, await things.take(row.kind, "theirs", { role, user })).replace(/^\//, "");
  const headers = { Accept: "text/html", ...(user && { Cookie: `login=${user.loginToken}` }) };
  return async () => (await ask(`/${path}`, { redirect: "manual", headers })).text();
}

test.each(["visitor", "host", "super"] as const)(
  "D2 no page waits for more round trips than its declared ones, asked by %s",
  async (role) => {
    const wrong: string[] = [];
    for (const row of PAGE_ROWS) {
      if (row.expected("theirs", role) !== "ok") continue;
      const most = (LONGER[row.name] ?? MOST) - (role === "visitor" ? 1 : 0);
      const trips = await fewestTrips(most, () => stagePage(row, role));
      if (trips > most) wrong.push(`${row.name} (${row.kind}): ${trips} instead of ${most}`);
    }
    expect(wrong).toEqual([]);
  },
  240_000,
);
