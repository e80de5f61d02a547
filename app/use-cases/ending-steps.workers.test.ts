// The walk through the table of endings: every column's act is done, and every row is asked for what its cell promises. A
// second hut, session, series and person with the same holdings stay byte for byte as they are.

import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { PASSWORD } from "#tests/support/accounts";
import { callAs } from "#tests/support/ask";
import { fillTables, type Row } from "#tests/support/every-row";
import { appOf, db, makeUser, makeUsers, setUser, type TestUser, testApp } from "#tests/support/factories";
import { copyRows, makePlace, type People, type Place } from "#tests/support/places";
import { openOf } from "#tests/support/series";
import { subscribe } from "#tests/support/subscriptions";
import { type Cell, ENDINGS, HAPPENINGS, type Happening, type Parent } from "~/domain/endings";
import { instant } from "~/domain/time";
import { askForDeletion } from "./accounts/deletion.server";
import { passwords } from "./accounts/password-hashes.server";
import { deleteDueAccounts } from "./delete-accounts.server";
import { acceptInvitation, renewInvitation, requestEntry } from "./huts/entry.server";
import { suspendUser } from "./safety/suspensions.server";
import { hashToken } from "./tokens.server";

type World = { people: People; here: Place };
type Column = {
  act: (world: World) => Promise<unknown>;
  /** The hut is private before the act. */
  isPrivate?: true;
  /** The person asks for entry, as only people outside do. */
  asks?: true;
  /** The act befalls the person wherever that person is, so that the bystanders are other people. */
  everywhere?: "person" | "host";
};

const now = () => instant(Date.now());
async function ok(call: ReturnType<typeof callAs>): Promise<void> {
  const { status, body } = await call;
  expect(status, JSON.stringify(body)).toBeLessThan(300);
}
const closeHut = ({ people, here }: World, more: object = {}) =>
  ok(callAs(people.owner, "PATCH", `/groups/${here.hut.slug}/patch`, { hut: { is_private: 1, ...more } }));
const seat = ({ session }: Place, { username }: TestUser) =>
  `/challenge-events/${session.id}/participants/${username}`;
const banPerson = ({ people, here: { hut } }: World) =>
  ok(callAs(people.owner, "PATCH", `/groups/${hut.slug}/members/${people.person.username}`, { ban: 1 }));
async function deleteAccount(user: TestUser): Promise<void> {
  await setUser(user.id, { deletionDueAt: now() });
  expect(await deleteDueAccounts(await testApp({ now: now() }))).toEqual({ deleted: 1, failed: 0 });
}

/** By happening; a second world of the same happening has further words in its name. */
const COLUMNS: {
  readonly [P in Parent]: Partial<Record<Happening<P> | `${Happening<P>} ${string}`, Column>>;
} = {
  huts: {
    deleted: {
      isPrivate: true,
      act: ({ people, here: { hut } }) =>
        ok(callAs(people.owner, "DELETE", `/groups/${hut.slug}`, { slug: hut.slug })),
    },
    "made-private": { act: (world) => closeHut(world) },
    "made-private with a take-over": { act: (world) => closeHut(world, { take_over: 1 }) },
    "handed-over": {
      act: ({ people, here: { hut } }) =>
        ok(
          callAs(people.owner, "PATCH", `/groups/${hut.slug}/members/${people.other.username}`, { owner: 1 }),
        ),
    },
  },
  sessions: {
    deleted: {
      act: ({ people, here }) => ok(callAs(people.host, "DELETE", `/challenges/${here.session.slug}`)),
    },
    ended: {
      act: ({ people, here }) =>
        ok(callAs(people.host, "POST", `/challenge-events/${here.session.id}/end`, {})),
    },
    "made-private": { act: (world) => closeHut(world) },
    "handed-over": {
      act: ({ people, here }) => ok(callAs(people.host, "PATCH", seat(here, people.person), { host: 1 })),
    },
    "code-added": {
      act: ({ people, here }) =>
        ok(
          callAs(people.host, "PATCH", `/challenge-events/${here.session.id}/patch`, {
            challenge: { join_code: "lantern" },
          }),
        ),
    },
  },
  series: {
    ended: { act: ({ people, here }) => ok(callAs(people.host, "DELETE", `/api/series/${here.series}`)) },
    "made-private": { act: (world) => closeHut(world) },
    "handed-over": { everywhere: "host", act: ({ people }) => deleteAccount(people.host) },
    "code-added": {
      act: ({ people, here }) =>
        ok(callAs(people.host, "PATCH", `/api/series/${here.series}`, { session: { join_code: "lantern" } })),
    },
  },
  users: {
    left: {
      isPrivate: true,
      act: ({ people, here }) => ok(callAs(people.person, "DELETE", `/groups/${here.hut.slug}/leave`)),
    },
    banned: { asks: true, isPrivate: true, act: banPerson },
    "banned from a public hut": { act: banPerson },
    "kept-out": {
      act: async ({ people, here }) => {
        const [first] = await openOf(here.series);
        const path = `/challenge-events/${first?.id}/participants/${people.person.username}`;
        await ok(callAs(people.host, "DELETE", path, { keep_out: 1, series: 1 }));
      },
    },
    blocked: {
      everywhere: "host",
      act: ({ people }) => ok(callAs(people.host, "PUT", `/api/blocks/${people.person.username}`)),
    },
    muted: {
      act: ({ people, here }) => ok(callAs(people.host, "PATCH", seat(here, people.person), { mute: 1 })),
    },
    suspended: {
      everywhere: "person",
      act: async ({ people }) => {
        const admin = await appOf(await makeUser({ roleId: 10 }), now());
        await suspendUser(admin, { username: people.person.username, days: 0, reason: "spam" });
      },
    },
    leaving: {
      everywhere: "person",
      act: async ({ people: { person } }) => {
        await setUser(person.id, { passwordHash: await passwords.hash(PASSWORD) });
        await askForDeletion(await appOf(person, now()), { currentPassword: PASSWORD });
      },
    },
    deleted: { everywhere: "person", act: ({ people }) => deleteAccount(people.person) },
  },
};

/** A plan that renews itself, instead of one that the provider does not know. */
async function subscribeAgain(user: TestUser): Promise<void> {
  await db.delete(schema.subscriptions).where(eq(schema.subscriptions.userId, user.id));
  await db.delete(schema.customers).where(eq(schema.customers.userId, user.id));
  await subscribe(await appOf(user, now()));
}

/** Columns that count or date their row's changes. */
const COUNTED =
  /_at$|^(person_id|remaining|list_key|cancelled_start|sequence|room_version|participants_count|user_count|followers_count|unread_notices)$/;
const KEPT_DATES = ["ended_at", "closed_at", "code_asked_at"];
const isCounted = (name: string) => COUNTED.test(name) && !KEPT_DATES.includes(name);

/** A row after the act: `same`, `gone`, or the columns that are different. */
function fateOf(before: Row, after: Row | undefined, nameOf: (value: unknown) => string): string {
  if (after === undefined) return "gone";
  const changed = Object.keys(before).filter((name) => !isCounted(name) && before[name] !== after[name]);
  return changed.length === 0 ? "same" : changed.map((name) => `${name} → ${nameOf(after[name])}`).join(", ");
}

async function walk<P extends Parent>(
  parent: P,
  column: Column,
): Promise<{ fates: Record<string, string>; told: string[]; returned: Record<string, number> }> {
  const [owner, host, person, other, outsider, waiter, second] = await makeUsers(7, {
    tokens: 5000,
    now: now(),
  });
  const people: People = { owner, host, person, other, outsider, waiter };
  const start = await copyRows();
  await fillTables(person, second);
  await subscribeAgain(person);
  const filled = await copyRows();
  const elsewhere = column.everywhere ? { ...people, [column.everywhere]: second } : people;
  await makePlace(elsewhere, column);
  const built = await copyRows();
  const here = await makePlace(people, column);
  const before = await copyRows();
  const bystanders = [...built.keys()].filter((key) => !(column.everywhere ? filled : start).has(key));
  await column.act({ people, here });
  const after = await copyRows();
  const subject = { huts: here.hut.id, sessions: here.session.id, series: here.series, users: person.id }[
    parent
  ];
  const names = new Map<unknown, string>(Object.entries(people).map(([name, { id }]) => [id, name]));
  const nameOf = (value: unknown): string => {
    if (typeof value === "string") return value.replace(/^\{.*/s, "…").replace(/^deleted\..*/, "deleted");
    return Number(value) > 1e12 ? "now" : (names.get(value) ?? String(value));
  };
  const fates: Record<string, string> = {};
  for (const name of Object.keys(ENDINGS[parent])) {
    const [table = "", own = ""] = name.split(".");
    const all = [...before].filter(([, { table: at, row }]) => at === table && row[own] === subject);
    const isHere = ([key, { row }]: (typeof all)[number]) => !built.has(key) || row.hut_id === here.hut.id;
    const held = column.everywhere ? all.filter(([key]) => !bystanders.includes(key)) : all.filter(isHere);
    const mine = held.length > 0 ? held : all;
    const isNew = [...after].some(
      ([key, { table: at, row }]) => at === table && row[own] === subject && !before.has(key),
    );
    const each = mine.map(([key, { row }]) => fateOf(row, after.get(key)?.row, nameOf));
    fates[name] = [...new Set([...each, ...(isNew ? ["new"] : [])])].sort().join(" | ");
  }
  // The bystanders, with every count and date.
  const touched = bystanders.filter(
    (key) =>
      before.has(key) &&
      before.get(key)?.row.hut_id !== here.hut.id &&
      JSON.stringify(before.get(key)?.row) !== JSON.stringify(after.get(key)?.row),
  );
  expect(touched.map((key) => [key, before.get(key)?.row, after.get(key)?.row])).toEqual([]);
  const told = [...after]
    .filter(([key, { table }]) => ["events", "notices"].includes(table) && !before.has(key))
    .map(([, { row }]) => String(row.kind));
  const entries = [...after].filter(
    ([key, { table, row }]) => table === "token_entries" && !before.has(key) && Number(row.amount) > 0,
  );
  const returned: Record<string, number> = {};
  for (const [, { row }] of entries) {
    const name = nameOf(row.user_id);
    returned[name] = (returned[name] ?? 0) + Number(row.amount) / 100;
  }
  return { fates, returned, told: [...new Set(told)].sort() };
}

const CANCELLED = "ended_at → now, closed_at → now";
const LEFT_PUBLIC_HUT = "hut_id → null, is_private → 1 | is_private → 1";
const LOGGED_OUT = {
  "api_keys.user_id": "gone",
  "login_challenges.user_id": "gone",
  "logins.user_id": "gone",
  "push_subscriptions.user_id": "gone",
};
/** A column's rows that do not stay the same, and the tokens that people get back. */
type Fates = { rows: Readonly<Record<string, string>>; returned?: Readonly<Record<string, number>> };
const FROM_CLOSED_HUT = { outsider: 2, waiter: 2 };

/** The fate of each row whose cell has an effect. Elsewhere a row stays the same, unless its cell says otherwise here. */
const FATES: {
  readonly [P in Parent]: Partial<Record<Happening<P> | `${Happening<P>} ${string}`, Fates>>;
} = {
  huts: {
    deleted: {
      rows: {
        "activities.hut_id": "hut_id → null",
        "hut_members.hut_id": "gone",
        "items.hut_id": "hut_id → null",
        "series.hut_id": "hut_id → null, ended_at → now",
        "sessions.hut_id": `hut_id → null, ${CANCELLED}`,
      },
      returned: { host: 6, other: 3, outsider: 7, person: 8, waiter: 2 },
    },
    "made-private": {
      rows: {
        "activities.hut_id": "hut_id → null | is_private → 1",
        "items.hut_id": "is_private → 1",
        "series.hut_id": "hut_id → null, is_private → 1, template → … | is_private → 1",
        "sessions.hut_id": LEFT_PUBLIC_HUT,
      },
      returned: FROM_CLOSED_HUT,
    },
    // Nothing leaves the hut.
    "made-private with a take-over": {
      rows: {
        "activities.hut_id": "hut_id → null | is_private → 1",
        "items.hut_id": "is_private → 1",
        // The template takes the new host's answer for guests (H-17).
        "series.hut_id": "is_private → 1 | owner_id → owner, is_private → 1, template → …",
        "sessions.hut_id": "is_private → 1",
      },
      returned: { outsider: 7, waiter: 2 },
    },
    "handed-over": { rows: { "hut_members.hut_id": "new | role → 0 | same" } },
  },
  sessions: {
    deleted: {
      // No other date takes over the bans.
      rows: { "guest_bans.session_id": "gone", "participants.session_id": "gone" },
      returned: { host: 1, other: 1, outsider: 1, person: 1 },
    },
    // Seats stay in a cancelled session; their tokens go back.
    ended: {
      rows: { "participants.session_id": "same" },
      returned: { host: 1, other: 1, outsider: 1, person: 1 },
    },
    "made-private": {
      rows: { "participants.session_id": "gone | same", "waiters.session_id": "gone" },
      returned: FROM_CLOSED_HUT,
    },
    "handed-over": { rows: { "participants.session_id": "is_host → 0 | role → 1, is_host → 1 | same" } },
    "code-added": { rows: { "waiters.session_id": "code_asked_at → now" } },
  },
  series: {
    ended: {
      rows: { "sessions.series_id": CANCELLED },
      returned: { host: 4, other: 1, outsider: 1, person: 2 },
    },
    "made-private": {
      rows: {
        "rota_hosts.series_id": "gone | same",
        "sessions.series_id": "is_private → 1",
        "standing_seats.series_id": "gone | same",
      },
      returned: FROM_CLOSED_HUT,
    },
    // The host's turn goes with the account, and so do days that nobody else has a seat in.
    "handed-over": {
      rows: {
        "rota_hosts.series_id": "gone | same",
        "sessions.series_id": `${CANCELLED} | same`,
        "standing_seats.series_id": "gone | same",
      },
    },
    "code-added": {
      rows: {
        "sessions.series_id": "join_code → lantern",
        // The hosts in turn need none.
        "standing_seats.series_id": "code_asked_at → now | same",
      },
    },
  },
  users: {
    left: {
      rows: {
        "hut_members.user_id": "gone",
        "notices.user_id": "gone",
        // Seats stay in a cancelled session.
        "participants.user_id": "gone | same",
        "rota_hosts.user_id": "gone",
        "series.owner_id": "ended_at → now",
        "sessions.owner_id": CANCELLED,
        "standing_seats.user_id": "gone",
        "waiters.user_id": "gone",
      },
      returned: { host: 1, person: 8, waiter: 2 },
    },
    banned: {
      rows: {
        "hut_members.user_id": "gone",
        "hut_requests.user_id": "gone",
        "notices.user_id": "gone",
        "participants.user_id": "gone | same",
        "rota_hosts.user_id": "gone",
        "sanctions.user_id": "new | same",
        "series.owner_id": "ended_at → now",
        "sessions.owner_id": CANCELLED,
        "standing_seats.user_id": "gone",
        "waiters.user_id": "gone",
      },
      returned: { host: 1, person: 8, waiter: 2 },
    },
    // Series and sessions leave with their host, and go on.
    "banned from a public hut": {
      rows: {
        "hut_members.user_id": "gone",
        "hut_requests.user_id": "same",
        "notices.user_id": "gone | same",
        "participants.user_id": "gone | same",
        "rota_hosts.user_id": "gone",
        "sanctions.user_id": "new | same",
        "series.owner_id": "hut_id → null, template → …",
        "sessions.owner_id": "hut_id → null",
        "standing_seats.user_id": "gone",
        "waiters.user_id": "gone",
      },
      returned: { person: 2 },
    },
    "kept-out": {
      rows: {
        "participants.user_id": "gone | same",
        "rota_hosts.user_id": "gone",
        "sanctions.user_id": "new | same",
        "standing_seats.user_id": "gone",
        "waiters.user_id": "same",
      },
      returned: { person: 2 },
    },
    blocked: { rows: { "blocks.blocked_id": "new | same", "notices.user_id": "gone | same" } },
    muted: { rows: { "sanctions.user_id": "new | same" } },
    suspended: {
      rows: {
        ...LOGGED_OUT,
        "participants.user_id": "same",
        "sanctions.user_id": "new | same",
        "sessions.owner_id": `${CANCELLED} | same`,
        "subscriptions.user_id": "end_date → now",
      },
      returned: { host: 1, person: 6, waiter: 2 },
    },
    leaving: { rows: { ...LOGGED_OUT, "subscriptions.user_id": "end_date → now" } },
    // Where others use a thing, it stays without the name (decision 10).
    deleted: {
      rows: {
        "activities.owner_id": "same",
        "contributions.user_id": "username → deleted",
        "goals.user_id": "gone | same",
        "huts.invited_by": "invited_by → null",
        "huts.owner_id": "same",
        "logs.user_id":
          "gone | username → deleted, title → , content → , content_html → , summary → , search_text → ",
        "open_payments.user_id": "same",
        "participants.user_id":
          "gone | username → deleted | username → deleted, aim → , guest_name → , guest_look → ",
        "persons.user_id": "username → deleted",
        "posts.user_id": "username → deleted",
        "series.owner_id": "ended_at → now",
        "sessions.owner_id": `donation_link → , meeting_link →  | ${CANCELLED} | same`,
        "subscriptions.user_id": "gone",
        "waiters.user_id": "gone",
      },
      returned: { waiter: 1 },
    },
  },
};

const CELLS = (Object.keys(HAPPENINGS) as Parent[]).flatMap((parent) =>
  Object.entries(ENDINGS[parent]).flatMap(([row, cells]) =>
    Object.entries(cells as Record<string, Cell>).map(([happening, cell]) => ({
      parent,
      row,
      happening,
      cell,
    })),
  ),
);
const WALKS = (Object.keys(HAPPENINGS) as Parent[]).flatMap((parent) =>
  Object.entries(COLUMNS[parent] as Record<string, Column>).map(
    ([happening, column]) => [parent, happening, column] as const,
  ),
);

test.each(WALKS)(
  "R-87 the rows of %s keep what their cells promise when %s, and nothing else changes",
  async (parent, happening, column) => {
    const cells = CELLS.filter(
      (one) => one.parent === parent && one.happening === happening.replace(/ .*/, ""),
    );
    const given = (FATES[parent] as Record<string, Fates>)[happening] ?? { rows: {} };
    const promised = cells.flatMap(({ row, cell }) => {
      if ("never" in cell) return [];
      const fate = given.rows[row];
      if (fate !== undefined) return [[row, fate]];
      if ("does" in cell) return [[row, cell.does.join() === "erase" ? "gone" : "no fate is written"]];
      return [[row, cell.stays.startsWith("The foreign key deletes it") ? "gone" : "same"]];
    });
    const { fates, told, returned } = await walk(parent, column);
    const asked = Object.fromEntries(promised.map(([row = ""]) => [row, fates[row]]));
    expect({ rows: asked, returned }).toEqual({
      rows: Object.fromEntries(promised),
      returned: given.returned ?? {},
    });
    if (happening.includes(" ")) return;
    const tells = cells.flatMap(({ cell }) => ("does" in cell && cell.tells ? [cell.tells] : []));
    expect(told).toEqual(expect.arrayContaining(tells));
  },
  120_000,
);

/** Empty where a call is refused. */
const refused = async (call: ReturnType<typeof callAs>): Promise<unknown[]> => {
  const { status, body } = await call;
  return [403, 409, 422].includes(status) ? [] : [status, body];
};
/** The cells of what cannot happen: the act that comes nearest, and what it leaves. */
const TRIES: Readonly<Record<string, (world: World) => Promise<unknown[]>>> = {
  "left accepted_invitations.user_id": async ({ people: { owner, outsider }, here: { hut } }) => {
    await db.update(schema.huts).set({ isPrivate: true }).where(eq(schema.huts.id, hut.id));
    const { url } = await renewInvitation(await appOf(owner, now()), { hut: hut.slug });
    const code = url.slice(url.indexOf("#") + 1).replace(/^\w+=/, "");
    const inviteHash = await hashToken(code);
    const kept = { hutId: hut.id, userId: outsider.id, inviteHash, createdAt: now() };
    await db.insert(schema.acceptedInvitations).values(kept);
    expect((await acceptInvitation(await appOf(outsider, now()), { code })).slug).toBe(hut.slug);
    return db
      .select()
      .from(schema.acceptedInvitations)
      .where(eq(schema.acceptedInvitations.userId, outsider.id));
  },
  "left hut_requests.user_id": async ({ people: { person }, here: { hut } }) => {
    await db.update(schema.huts).set({ isPrivate: true }).where(eq(schema.huts.id, hut.id));
    await requestEntry(await appOf(person, now()), { slug: hut.slug });
    return db.select().from(schema.hutRequests).where(eq(schema.hutRequests.userId, person.id));
  },
  "banned huts.owner_id": ({ people: { owner, other }, here: { hut } }) =>
    refused(callAs(other, "PATCH", `/groups/${hut.slug}/members/${owner.username}`, { ban: 1 })),
  "kept-out series.owner_id": async ({ people: { person, host }, here }) => {
    const [first] = await openOf(here.series);
    const of = ({ username }: TestUser) => `/challenge-events/${first?.id}/participants/${username}`;
    await ok(callAs(host, "PATCH", of(person), { host: 1 }));
    const admin = await makeUser({ roleId: 10 });
    const tries = [person, admin].map((by) =>
      refused(callAs(by, "DELETE", of(host), { keep_out: 1, series: 1 })),
    );
    return (await Promise.all(tries)).flat();
  },
};

test.each(Object.keys(TRIES))("R-87 nothing brings about the cell %s", async (name) => {
  const [owner, host, person, other, outsider, waiter] = await makeUsers(6, { tokens: 5000, now: now() });
  const people: People = { owner, host, person, other, outsider, waiter };
  expect(await TRIES[name]?.({ people, here: await makePlace(people) })).toEqual([]);
});

test("R-87 every cell of what cannot happen is tried", () => {
  const never = CELLS.filter(({ cell }) => "never" in cell);
  // db/endings.test.ts reads that no statement deletes a series.
  const tried = never.filter(({ parent, happening }) => parent !== "series" || happening !== "deleted");
  expect(tried.map(({ happening, row }) => `${happening} ${row}`).sort()).toEqual(Object.keys(TRIES).sort());
});
