// Different calls at once on a user's own things (account, money, goals, logs, items), also during a deletion. No request
// gets a 500, and the result equals some sequential order.
import { and, eq, inArray } from "drizzle-orm";
import { expect } from "vitest";
import { schema } from "#db/connect.server";
import { isOpenStatus } from "~/domain/payments/products";
import { passwords } from "~/use-cases/accounts/password-hashes.server";
import { skipDay } from "~/use-cases/goals/days.server";
import { deleteGoal } from "~/use-cases/goals/goals.server";
import { deleteLog } from "~/use-cases/goals/log-moves.server";
import { startProgress } from "~/use-cases/goals/logs.server";
import { deleteNote } from "~/use-cases/goals/notes.server";
import { importBook } from "~/use-cases/items/books.server";
import { callAs } from "../support/ask";
import { appOf, db, makeUser, type TestUser } from "../support/factories";
import { goalNow, makeGoal } from "../support/goals";
import { balanceOf } from "../support/sessions";
import { atOnce, call, form, idsOf, rows, short, times, usePeople, uuid } from "./at-once";

const { goals, logs, notes, items, users, persons, practiceObjects } = schema;
const who = usePeople();

// ---- accounts

atOnce("a person of one name", [201, 422], async () => {
  const username = short();
  return {
    at: who.each((user) => call(user, "POST /me/persons", { username })),
    after: async () => expect(await rows(persons, eq(persons.username, username))).toHaveLength(1),
  };
});

atOnce("registering with one email, taking one email", [200, 201, 422], async () => {
  const email = `${short()}@example.com`;
  const password = "a lantern at dusk";
  const names = { first_name: "A", last_name: "B" };
  const passwordHash = await passwords.hash(password);
  const ids = [who.ann, who.bob, who.cleo].map(({ id }) => id);
  await db.update(users).set({ passwordHash }).where(inArray(users.id, ids));
  const body = { email, username: short(), password, password_confirmation: password, ...names };
  return {
    at: [
      ...times(2, call(null, "POST /register", body)),
      ...who.each((user) =>
        call(user, "PATCH /account/user/profile", { userData: { email, current_password: password } }),
      ),
    ],
    after: async () => expect(await rows(users, eq(users.email, email))).toHaveLength(1),
  };
});

// ---- money

const atProvider = async (kind: string, user: TestUser) => {
  const [customer] = await rows(schema.customers, eq(schema.customers.userId, user.id));
  const theirs = and(
    eq(practiceObjects.kind, kind),
    eq(practiceObjects.customer, customer?.providerId ?? ""),
  );
  return rows(practiceObjects, theirs);
};

atOnce("C-19 each payment of a new user can be credited", [200], async () => {
  const user = await makeUser();
  return {
    at: times(6, call(user, "GET /tokens/get-payment-intent")),
    after: async () => expect(await atProvider("intent", user)).toHaveLength(6),
  };
});

// A later attempt replaces a subscription whose first payment is unfinished, so ended ones may remain.
atOnce("B-12 subscribing leaves one open subscription, in D1 and at the provider", [201, 409], async () => {
  const user = await makeUser();
  return {
    at: ["1", "2"].flatMap((plan) => times(3, call(user, `POST /api/subscriptions/create/${plan}`))),
    after: async () => {
      const local = await rows(schema.subscriptions, eq(schema.subscriptions.userId, user.id));
      const theirs = await atProvider("subscription", user);
      const open = local.filter(({ stripeSubStatus }) => isOpenStatus(stripeSubStatus));
      const openThere = theirs.filter(({ body }) => isOpenStatus((body as { status: string }).status));
      expect([open.map(({ providerId }) => providerId), open.length]).toEqual([
        openThere.map(({ id }) => id),
        1,
      ]);
    },
  };
});

// ---- goals, logs, notes

const goalBody = (id: string) => ({ challenge: { tasks: [{ title: "G", uuid: id }] } });

atOnce("X-07 goals and notes with the same uuid exist once, even after a deletion", [201, 409], async () => {
  const [id, gone] = [uuid(), uuid()];
  const { body } = await callAs(who.ann, "POST", "/api/goals/store", goalBody(gone));
  await deleteGoal(await appOf(who.ann), { goal: body.goal.id });
  const { body: note } = await callAs(who.ann, "POST", "/api/notes", { title: "N", uuid: gone });
  await deleteNote(await appOf(who.ann), { note: note.id });
  const before = await balanceOf(who.ann);
  return {
    at: [id, gone].flatMap((one) => [
      ...who.each((user) => call(user, "POST /api/goals/store", goalBody(one))),
      ...who.each((user) => call(user, "POST /api/notes", { title: "N", uuid: one })),
    ]),
    after: async () =>
      expect([before - (await balanceOf(who.ann)), await rows(goals, eq(goals.uuid, gone))]).toEqual([
        101,
        [],
      ]),
  };
});

atOnce("a goal changed, completed, ticked, skipped and deleted", [200, 404], async () => {
  const goal = await makeGoal(who.ann, {
    items: [{ uuid: "x", title: "X", link: "", isChecked: false }],
    isList: true,
  });
  const change = call(who.ann, `PATCH /api/goals/update/${goal.id}`, { title: "New", tags: ["one", "two"] });
  const tick = call(who.ann, "POST /challenge-events/logs/save-task-list-progress", {
    goal_id: goal.id,
    items: ["x"],
  });
  const skip = form(who.ann, skipDay, { goal: goal.id, day: "2026-11-21" as never, isSkipped: true });
  const gone = form(who.ann, deleteGoal, { goal: goal.id });
  return {
    at: [
      change,
      call(who.ann, `POST /api/goals/${goal.id}/complete`),
      tick,
      skip,
      gone,
      gone,
      change,
      tick,
      skip,
    ],
    after: async () => expect(await rows(schema.goalTags, eq(schema.goalTags.goalId, goal.id))).toEqual([]),
  };
});

atOnce(
  "X-07 starts of a goal's timer, with the same and with other uuids, leave one timer",
  [200, 409],
  async () => {
    const goal = await makeGoal(who.ann);
    const same = { goalId: goal.id, uuid: uuid() };
    return {
      at: [
        ...times(3, form(who.ann, startProgress, same)),
        ...times(3, form(who.ann, startProgress, { goalId: goal.id })),
      ],
      after: async (answers) => {
        expect(answers.slice(0, 3).map(({ status }) => status)).toEqual([200, 200, 200]);
        expect(await rows(logs, eq(logs.goalId, goal.id))).toHaveLength(1);
      },
    };
  },
);

atOnce("logs and notes of a goal that is deleted", [200, 201, 404, 422], async () => {
  const goal = await makeGoal(who.ann);
  const before = await balanceOf(who.ann);
  const note = call(who.ann, "POST /api/notes", { title: "N", goal_id: goal.id });
  const log = call(who.ann, "POST /api/logs/store-quick-log", { goal_id: goal.id });
  return {
    at: [log, note, form(who.ann, deleteGoal, { goal: goal.id }), ...times(3, log), ...times(3, note)],
    after: async (answers) =>
      expect(before - (await balanceOf(who.ann))).toBe(answers.filter(({ status }) => status === 201).length),
  };
});

atOnce("a log deleted while it moves", [200, 404, 409], async () => {
  const goal = await makeGoal(who.ann);
  const { body } = await callAs(who.ann, "POST", "/api/logs/store-quick-log", {
    goal_id: goal.id,
    amount: 2,
    status: 3,
  });
  const path = `/api/challenge-logs/${body.log.id}`;
  return {
    at: [
      ...times(2, call(who.ann, `POST ${path}/start`)),
      ...times(2, call(who.ann, `PATCH ${path}/update`, { amount: 5 })),
      ...times(2, form(who.ann, deleteLog, { log: body.log.id })),
      ...times(2, call(who.ann, `POST ${path}/complete`, { amount: 7 })),
    ],
    after: async () => {
      const after = await goalNow(goal.id);
      const left = await rows(logs, eq(logs.goalId, goal.id));
      expect([after.logsCount, after.amountElapsed]).toEqual([left.length, left[0]?.amount ?? 0]);
    },
  };
});

atOnce("notes changed and deleted: the others stay", [200, 201, 404], async () => {
  const { body } = await callAs(who.bob, "POST", "/api/notes", { title: "N" });
  const change = call(who.bob, `PATCH /api/notes/${body.id}`, { title: "M" });
  return {
    at: [
      ...times(3, call(who.bob, "POST /api/notes", { title: "N" })),
      ...times(2, form(who.bob, deleteNote, { note: body.id })),
      change,
      change,
    ],
    after: async () => {
      const left = await rows(notes, eq(notes.userId, who.bob.id));
      expect(left.map(({ id }) => id)).not.toContain(body.id);
    },
  };
});

// ---- items

const item = async (over: object = {}) => {
  const { body } = await callAs(who.ann, "POST", "/items", { title: short(), ...over });
  return body.item as { id: number; slug: string; title: string };
};
const itemNow = async (id: number) => (await rows(items, eq(items.id, id)))[0];

atOnce("two items, each moved under the other", [200, 409, 422], async () => {
  const [one, two] = [await item(), await item()];
  const under = (a: number, b: number) => call(who.ann, `PATCH /items/${a}`, { itemData: { parent_id: b } });
  return {
    at: [under(one.id, two.id), under(two.id, one.id), under(one.id, two.id), under(two.id, one.id)],
    after: async () =>
      expect([(await itemNow(one.id))?.parentId, (await itemNow(two.id))?.parentId]).toContain(0),
  };
});

atOnce("items deleted under one another, and written while they are", [200, 201, 204, 404, 422], async () => {
  const top = await item();
  const middle = await item({ parent_id: top.id });
  const low = await item({ parent_id: middle.id });
  const child = (parent: number) => call(who.ann, "POST /items", { title: short(), parent_id: parent });
  const gone = [top, middle].map(({ id }) => call(who.ann, `DELETE /items/${id}`));
  const change = call(who.ann, `PATCH /items/${low.id}`, { itemData: { title: "New" } });
  return {
    at: [...gone, ...gone, change, change, child(top.id), child(middle.id)],
    after: async (answers) => {
      for (const id of [low.id, ...idsOf(answers, "item")]) expect((await itemNow(id))?.parentId).toBe(0);
    },
  };
});

atOnce("words about a passage whose book is deleted, favourites", [200, 201, 204, 404], async () => {
  const book = await importBook(await appOf(who.ann), {
    title: short(),
    text: "Words that stay. ".repeat(20),
  });
  const [row] = await rows(items, eq(items.slug, book.slug));
  const [snippet] = await rows(schema.snippets, eq(schema.snippets.itemId, row?.id ?? 0));
  const write = (user: TestUser) =>
    call(user, "POST /api/paraphrases", { snippet_id: snippet?.id, title: "T", content: "C" });
  const like = { favoritable_type: "item", favoritable_id: row?.id, favorite: 1 };
  return {
    at: [
      call(who.ann, `DELETE /items/${row?.id}`),
      ...who.each(write),
      ...who.each((user) => call(user, "POST /favorites", like)),
    ],
  };
});
