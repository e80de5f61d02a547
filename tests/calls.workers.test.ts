// The documented calls (C-07 to C-95), compared with the path table and the worker's answers (C-01). Also the answers
// of creates, updates and deletes (C-04).
import { describe, expect, test } from "vitest";
import { api } from "#workers/api";
import { ListQuery } from "~/domain/lists";
import { USER_ROLE } from "~/domain/roles";
import { viewHome } from "~/use-cases/home.server";
import { calls } from "~/wire/calls";
import { ask, callAs, ORIGIN } from "./support/ask";
import { everyCall } from "./support/every-call";
import { makeUser, type TestUser, testApp } from "./support/factories";

/** The calls of sections C, R and Q, one per line. */
const DOCUMENTED = `
GET /sanctum/csrf-cookie
POST /login
POST /login/two-step
POST /login/passkey/options
POST /login/passkey
POST /register
POST /logout
GET /get-user
POST /get-password-reset
POST /post-reset-password
PATCH /account/user/profile
POST /account/check/options
POST /account/check
POST /account/passkeys/options
POST /account/passkeys
POST /account/push
DELETE /account/push
POST /api/users/read-new-message
GET /me/persons
POST /me/persons
POST /me/persons/{person}/switch-to

GET /tokens/get-payment-intent
POST /tokens/purchase
POST /tokens/tokens/add-free
POST /tokens/tokens/redeem-available
POST /webhooks/stripe
GET /api/subscribe
GET /api/pricing
POST /api/subscriptions/create/{product}
POST /api/subscriptions/cancel
POST /api/subscriptions/add-payment-method

GET /api/my/goals
GET /api/my/logs
GET /api/my/sessions
GET /api/my/groups
GET /api/my/notes
GET /api/my/notices
POST /api/my/notices/read
POST /api/my/reminders/press
PATCH /account/notifications
GET /api/my/goals/{goal}
GET /api/my/goals/{goal}/logs
GET /api/my/goals/{goal}/notes
POST /api/goals/store
PATCH /api/goals/update/{goal}
POST /api/goals/{goal}/complete
POST /goals/add-to-my-goals
POST /api/challenge-events/{event}/{goal}/attach-my-goal
POST /api/logs/store-quick-log
POST /api/challenge-logs/{log}/start
POST /api/challenge-logs/{log}/stop
POST /api/challenge-logs/{log}/complete
GET /api/challenges/templates
PATCH /api/challenge-logs/{log}/update
DELETE /api/challenge-logs/{log}
POST /challenge-events/logs/save-task-list-progress
POST /api/notes
PATCH /api/notes/{note}
POST /api/paraphrases
PATCH /api/paraphrases/{paraphrase}/update
GET /api/books
GET /api/books/{book}/snippets/{snippet}
GET /api/snippets/random
POST /favorites

GET /api/home
GET /api/activities
GET /api/activities/{challenge}
GET /api/events
GET /api/groups
GET /api/group/{hut}
GET /api/group/{hut}/sessions
GET /api/hut/{hut}/activities
GET /api/sessions/{event}
GET /api/sessions/{event}/logs
GET /api/sessions/{event}/hut
GET /api/sessions/{event}/chat
GET /api/sessions/{event}/member-goals
GET /api/sessions/{event}/goals

POST /challenges
PATCH /challenges/{challenge}
PATCH /challenges/{challenge}/patch
DELETE /challenges/{challenge}
POST /challenges/{challenge}/join
POST /challenges/{challenge}/leave
POST /challenges/{challenge}/reset
POST /challenges/{challenge}/user-is-ready
POST /challenges/{challenge}/posts
POST /challenges/{challenge}/logs
POST /challenges/{challenge}/events-groups
POST /challenges/{challenge}/parts
DELETE /challenges/{challenge}/parts/{part}/{type}
PATCH /challenges/{challenge}/parts/reorder
PATCH /challenges/{challenge}/parts/{part}
GET /challenges/{challenge}/prompt
GET /challenges/{challenge}/poll
GET /challenges/{challenge}/stream
PUT /challenges/{challenge}/save-content
PUT /challenges/{challenge}/contribute-content

POST /challenge-events
PATCH /challenge-events/{event}/patch
POST /challenge-events/{event}/join
POST /challenge-events/{event}/repeat
POST /api/series
GET /api/my/series
GET /api/my/series/{series}
GET /api/series/{series}
PATCH /api/series/{series}
DELETE /api/series/{series}
PATCH /api/series/{series}/days/{day}
PUT /api/series/{series}/hosts/{username}
DELETE /api/series/{series}/hosts/{username}
POST /api/series/{series}/accept-turn
PUT /api/series/{series}/standing-seat
DELETE /api/series/{series}/standing-seat
POST /challenge-events/{event}/start
POST /challenge-events/{event}/end
POST /challenge-events/{event}/complete
POST /challenge-events/{event}/events-groups
POST /challenge-events/{event}/parts
POST /api/challenge-events/{event}/leave
POST /challenge-events/{event}/logs
POST /challenge-events/{event}/logs/tasks/{uuid}/start
POST /challenge-events/logs/{log}/reset
POST /challenge-events/logs/{log}
POST /messages

POST /groups/store
PATCH /groups/{hut}/patch
PATCH /groups/{hut}/{challenge}/attach-challenge
PATCH /groups/{hut}/{challenge}/detach-challenge
POST /groups/{hut}/join
DELETE /groups/{hut}/leave
POST /items
PATCH /items/{item}
DELETE /items/{item}
GET /items/parents/search/{person}
POST /upload/{postSlug}

PATCH /groups/{hut}/members/{username}
DELETE /groups/{hut}
PATCH /challenge-events/{event}/participants/{username}
DELETE /challenge-events/{event}/participants/{username}
DELETE /challenge-events/{event}/bans/{username}
POST /challenge-events/{event}/aim
DELETE /challenge-events/{event}/participants/{username}/aim
POST /challenge-events/{event}/claim
POST /challenge-events/{event}/keep-seat
POST /challenge-events/{event}/notify
POST /challenge-events/{event}/wait
DELETE /challenge-events/{event}/wait
POST /challenge-events/{event}/parts/{part}/start
POST /challenge-events/{event}/parts/{part}/pause
POST /challenge-events/{event}/parts/{part}/resume
POST /challenge-events/{event}/parts/{part}/finish
POST /challenge-events/{event}/parts/{part}/reset
POST /challenge-events/{event}/parts/{part}/adjust
POST /challenge-events/{event}/parts/{part}/next
POST /challenge-events/{event}/parts/{part}/end-round
POST /challenge-events/{event}/parts/{part}/undo
POST /challenge-events/{event}/parts/{part}/pass
GET /api/search
GET /api/time
POST /practice/confirm
GET /api/me
GET /api/me/{group}
GET /api/{person}
GET /api/{parentItem}/{childItem}

PATCH /api/posts/{post}
DELETE /api/posts/{post}
PATCH /api/sessions/{event}/messages/{seq}
DELETE /api/sessions/{event}/messages/{seq}
PUT /api/sessions/{event}/line
DELETE /api/sessions/{event}/line
PUT /api/blocks/{username}
DELETE /api/blocks/{username}
POST /api/reports
`
  .split("\n")
  .filter(Boolean);

/** Mounted by hand: without a use case, without JSON, or authenticated by a signature. */
const BY_HAND = [
  "GET /api/time",
  "GET /sanctum/csrf-cookie",
  "POST /upload/{postSlug}",
  "POST /webhooks/stripe",
];
const without = (lines: string[], left: string[]) => lines.filter((line) => !left.includes(line)).sort();
const fits = (line: string, asked: string) =>
  new RegExp(`^${line.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`).test(asked);
const someoneAsks = (line: string) => line.replace(/\{\w+\}/g, "1");

describe("C-01 exactly these methods and paths", () => {
  test("C-01 the table has every documented call, and no other", () => {
    const table = Object.values(everyCall).map(({ method, path }) => `${method} ${path}`);
    expect(new Set(DOCUMENTED).size).toBe(DOCUMENTED.length);
    expect(table.sort()).toEqual(without(DOCUMENTED, ["POST /webhooks/stripe"]));
  });

  test("C-01 every call is served by its own line of the table", () => {
    const served = api.map(({ call }) => `${call.method} ${call.path}`);
    expect([...served].sort()).toEqual(without(DOCUMENTED, BY_HAND));
    // The first match answers, so no line may precede a line with a narrower path.
    for (const line of served) expect(served.find((other) => fits(other, someoneAsks(line)))).toBe(line);
  });

  test.each(DOCUMENTED)("C-01 %s answers JSON", async (line) => {
    const [method = "", path = ""] = line.split(" ");
    const answer = await callAs(null, method, someoneAsks(path), method === "GET" ? undefined : {});
    expect(answer.headers.get("Content-Type") ?? "").not.toMatch(/html/);
    if (answer.status === 204) return;
    expect(answer.headers.get("Content-Type")).toMatch(/^application\/json/);
    expect(typeof answer.body).toBe("object");
  });

  test("C-01 another method of the same path is no call", async () => {
    for (const [method, path] of [
      ["PUT", "/challenges/1"],
      ["DELETE", "/api/notes/1"],
      ["POST", "/api/my/goals"],
    ] as const)
      expect((await callAs(null, method, path, {})).status).not.toBe(401);
    expect((await callAs(null, "DELETE", "/api/notes/1", {})).body.error_code).toBe("NOT_FOUND");
  });
});

describe("C-04 answers of creates, updates and deletes", () => {
  type Step = [method: string, path: string, body: unknown];
  const keysOf = (body: unknown) => Object.keys(body as object).sort();

  /** Creates under `nouns`, updates, deletes, and checks each answer. */
  async function walk(
    user: TestUser,
    nouns: string[],
    [create, update, remove]: [Step, ((made: Record<string, never>) => Step)?, ((made: never) => Step)?],
  ) {
    const made = await callAs(user, ...create);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect(keysOf(made.body)).toEqual([...nouns].sort());
    const thing = made.body[nouns[0] ?? ""];
    expect(thing.title ?? thing.content ?? thing.uuid).toBeTruthy();
    if (update) {
      const changed = await callAs(user, ...update(thing));
      expect(changed.status, JSON.stringify(changed.body)).toBe(200);
      expect(keysOf(changed.body)).toEqual([...nouns].sort());
      expect(changed.body[nouns[0] ?? ""].title).toBe("Changed");
    }
    if (remove) {
      const gone = await callAs(user, ...remove(thing as never));
      expect([gone.status, gone.body]).toEqual([204, null]);
    }
    return thing;
  }

  test("C-04 goals, logs, notes, items, activities, huts, sessions, posts, messages", async () => {
    const user = await makeUser();
    const change = { title: "Changed" };
    const goal = await walk(
      user,
      ["goal"],
      [
        ["POST", "/api/goals/store", { challenge: { tasks: [{ title: "Read" }] } }],
        ({ id }) => ["PATCH", `/api/goals/update/${id}`, { challenge: { tasks: [change] } }],
      ],
    );
    await walk(
      user,
      ["log", "goal"],
      [
        ["POST", "/api/logs/store-quick-log", { goal_id: goal.id, title: "A log", amount: 1 }],
        ({ id }) => ["PATCH", `/api/challenge-logs/${id}/update`, change],
      ],
    );
    await walk(
      user,
      ["item"],
      [
        ["POST", "/items", { itemData: { title: "An item" } }],
        ({ id }) => ["PATCH", `/items/${id}`, { itemData: change }],
        ({ id }) => ["DELETE", `/items/${id}`, undefined],
      ],
    );
    const activity = await walk(
      user,
      ["challenge", "path"],
      [
        ["POST", "/challenges", { challenge: { title: "An activity" } }],
        ({ slug }) => ["PATCH", `/challenges/${slug}`, { challenge: change }],
      ],
    );
    await walk(
      user,
      ["hut", "path"],
      [
        ["POST", "/groups/store", { hut: { title: "A hut" } }],
        ({ slug }) => ["PATCH", `/groups/${slug}/patch`, { hut: change }],
      ],
    );
    const session = await walk(
      user,
      ["challenge_event", "path"],
      [
        [
          "POST",
          "/challenge-events",
          { challenge: { title: "A session", challenge_id: activity.id, duration: 3600 } },
        ],
        ({ id }) => ["PATCH", `/challenge-events/${id}/patch`, { challenge: change }],
      ],
    );
    await walk(
      user,
      ["post"],
      [["POST", `/challenges/${session.slug}/posts`, { item: { title: "Hello", content: "There" } }]],
    );
    await callAs(user, "POST", `/challenge-events/${session.id}/start`, {});
    await walk(
      user,
      ["message"],
      [
        [
          "POST",
          "/messages",
          { content: "Hello", messageable_type: "challenge_event", messageable_id: session.id },
        ],
      ],
    );
    await callAs(user, "POST", `/challenge-events/${session.id}/end`, {});
    for (const slug of [session.slug, activity.slug]) {
      const gone = await callAs(user, "DELETE", `/challenges/${slug}`);
      expect([gone.status, gone.body]).toEqual([204, null]);
    }
  });

  test("C-04 a note's answer is the note", async () => {
    const user = await makeUser();
    const made = await callAs(user, "POST", "/api/notes", { title: "A note", todo: "Tea" });
    expect([made.status, made.body.title, made.body.todo]).toEqual([201, "A note", "Tea"]);
    const changed = await callAs(user, "PATCH", `/api/notes/${made.body.id}`, { title: "Changed" });
    expect([changed.status, changed.body.id, changed.body.title]).toEqual([200, made.body.id, "Changed"]);
  });

  test("C-04 persons, paraphrases and images have answers of their own", async () => {
    const user = await makeUser();
    const username = `other-${crypto.randomUUID().slice(0, 8)}`;
    const person = await callAs(user, "POST", "/me/persons", { username });
    expect([person.status, keysOf(person.body)]).toEqual([201, ["person"]]);
    const form = new FormData();
    const pixel = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
    const bytes = Uint8Array.from(atob(pixel), (letter) => letter.charCodeAt(0));
    form.set("file", new File([bytes], "dot.gif", { type: "image/gif" }));
    const image = await ask("/upload/a-post", {
      method: "POST",
      headers: {
        Cookie: `XSRF-TOKEN=test-xsrf-token-0123456789; login=${user.loginToken}`,
        Origin: ORIGIN,
        "X-CSRF-TOKEN": "test-xsrf-token-0123456789",
      },
      body: form,
    });
    expect(image.status).toBe(201);
    expect(await image.json()).toMatchObject({ url: expect.stringMatching(/^\/uploads\//) });
  });
});

test("X-12 E-22 the product's name and the page size are settings, and on the wire", async () => {
  const home = await callAs(null, "GET", "/api/home");
  expect(home.body.serverData).toMatchObject({ app_name: "Bothy", per_page: 12 });
  const app = await testApp();
  const settings = { ...app.settings, appName: "Refuge", perPage: 3 };
  const view = await viewHome({ ...app, settings }, ListQuery.parse({}));
  expect(calls.viewHome.answer(view)).toMatchObject({ serverData: { app_name: "Refuge", per_page: 3 } });
});

test("C-01 every changing call refuses a field that it does not have, by name", async () => {
  const user = await makeUser({ roleId: USER_ROLE.superAdmin });
  const { body } = await callAs(user, "POST", "/api/notes", { title: "Plan", todoo: "milk" });
  expect(body).toMatchObject({ error_code: "INVALID", fields: { todoo: ["This call has no such field."] } });
  const wrong: string[] = [];
  for (const { method, path } of Object.values(calls)) {
    if (method === "GET") continue;
    const address = path.replace("{type}", "event").replace(/\{\w+\}/g, "1");
    const answer = await callAs(user, method, address, { no_such_field: 1 });
    if (answer.body?.fields?.no_such_field === undefined) wrong.push(`${method} ${path}: ${answer.status}`);
  }
  expect(wrong).toEqual([]);
});
