// The actors of the role matrix.
import { inject } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { db, makeUser, NOW, setUser, type TestUser } from "#tests/support/factories";
import { propertySeed } from "#tests/support/property-seed";
import type { Row } from "./table";
import type { shelf } from "./things";

/**
 * A new role needs its name here and its seat, membership or row in `assemble`; the tables then require its answers.
 */
export const ROLES = [
  "visitor",
  "stranger",
  "member",
  "participant",
  "guest",
  "admin",
  "ex-admin",
  "removed",
  "host",
  "hut-owner",
  "moderator",
  "owner",
  "subscriber",
  "super",
] as const;
export type Role = (typeof ROLES)[number];
export type Actor = { role: Role; user: TestUser | null };

/** `theirs` belongs to the cast: sessions to the host, huts to the hut's owner, everything else to the owner. */
export const TARGETS = ["theirs", "own", "missing"] as const;
export type Target = (typeof TARGETS)[number];

/** The values of placeholders in paths and bodies, by name. */
export type Thing = Record<string, string | number>;

const RICH = 5_000_000;
export const CARD = { number: "4242424242424242", exp_month: 12, exp_year: 2040, cvc: "123" };

export type Cast = { actors: Actor[]; of(role: Role): TestUser; other: TestUser };

/** `firstId` is the id of the first user, and the others follow it. */
export async function assemble(firstId?: number): Promise<Cast> {
  const users = new Map<Role, TestUser>();
  for (const role of ROLES) {
    if (role === "visitor") continue;
    const id = users.size === 0 && firstId !== undefined ? { id: firstId } : {};
    users.set(role, await makeUser({ ...id, tokens: RICH, roleId: role === "super" ? 10 : 1 }));
  }
  const of = (role: Role): TestUser => {
    const user = users.get(role);
    if (!user) throw new Error(`nobody plays ${role}`);
    return user;
  };
  const subscriber = of("subscriber");
  const begun = await must(subscriber, "POST", "/api/subscriptions/create/goals_sub");
  await must(subscriber, "POST", "/practice/confirm", {
    client_secret: begun.clientSecret,
    card: CARD,
    save: 1,
  });
  await must(subscriber, "GET", "/api/subscribe");
  await db.insert(schema.categories).values({ slug: "writing", title: "Writing" }).onConflictDoNothing();
  const other = await makeUser({ tokens: RICH });
  // Until a session of the matrix seats them.
  await setUser(of("guest").id, { guestOf: 999_999_998 });
  return { actors: ROLES.map((role) => ({ role, user: users.get(role) ?? null })), of, other };
}

export async function must(user: TestUser, method: string, path: string, body: object = {}) {
  const answer = await callAs(user, method, path, method === "GET" ? undefined : body);
  if (answer.status >= 300)
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

export const confirmAddressOf = ({ id }: TestUser) => setUser(id, { emailConfirmedAt: NOW });

/** Asked for in each cell of `theirs`. */
const ALWAYS: readonly Role[] = ["visitor", "guest", "super"];

/**
 * A cell of `theirs` is asked by the visitor, a guest, the super admin and two roles from the run's seed, one of `own` or
 * `missing` by the first of these two, and each also by the roles that its line names; by all with `ROLE_MATRIX=all`.
 */
const DRAWN: Role[] = (() => {
  const between = ROLES.filter((role) => !ALWAYS.includes(role));
  const first = propertySeed % between.length;
  const second =
    (first + 1 + (Math.floor(propertySeed / between.length) % (between.length - 1))) % between.length;
  return between.filter((_, i) => i === first || i === second);
})();
export const isDrawn = (role: Role): boolean =>
  inject("isWholeMatrix") || ALWAYS.includes(role) || DRAWN.includes(role);
export const isAsked = (row: Row, target: Target, role: Role): boolean =>
  row.isNamed(target, role) ||
  (target === "theirs" || inject("isWholeMatrix") ? isDrawn(role) : role === DRAWN[0] || role === "guest");

export type Cell = {
  row: Row;
  target: Target;
  actor: Actor;
  expected: string;
  /** The thing of the cell, which a refusal leaves to the next. */
  take(): Promise<Thing>;
  takeNew(): Promise<Thing>;
};

/** Runs the cells of some rows in sequence and returns the wrong cells, grouped by answer. */
export async function wrongCells(
  { cast, things }: { cast: Cast; things: ReturnType<typeof shelf> },
  rows: readonly Row[],
  ask: (cell: Cell) => Promise<{ said: string; isChange: boolean }>,
  asks = isAsked,
): Promise<string[]> {
  const wrong = new Map<string, Role[]>();
  for (const row of rows)
    for (const target of TARGETS)
      for (const actor of cast.actors) {
        const expected = row.expected(target, actor.role);
        if (expected === null || !asks(row, target, actor.role)) continue;
        const take = () => things.take(row.kind, target, actor);
        const takeNew = () => {
          things.spend(row.kind, target, actor);
          return take();
        };
        const { said, isChange } = await ask({ row, target, actor, expected, take, takeNew });
        if (said === "ok" && isChange) things.spend(row.kind, target, actor);
        if (said === expected) continue;
        const cell = `${row.name} | ${row.kind} | ${target}: ${said}, not ${expected}, to`;
        wrong.set(cell, [...(wrong.get(cell) ?? []), actor.role]);
      }
  return [...wrong].map(([cell, roles]) => `${cell} ${roles.join(" ")}`);
}
