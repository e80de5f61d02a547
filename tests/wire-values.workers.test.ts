// Spans and flags on the wire, in real calls, and everything that a signed-in user can do.
import { beforeEach, describe, expect, test, vi } from "vitest";
import { callAs } from "./support/ask";
import { makeUser, NOW, type TestUser } from "./support/factories";

beforeEach(() => void vi.setSystemTime(NOW));

type Ask = (method: string, path: string, body?: unknown) => ReturnType<typeof callAs>;
const asking =
  (user: TestUser): Ask =>
  (method, path, body) =>
    callAs(user, method, path, body);
/** The body of an answer that must be a success. */
const well = async (asked: ReturnType<typeof callAs>) => {
  const { status, body } = await asked;
  expect(status, JSON.stringify(body)?.slice(0, 300)).toBeLessThan(300);
  return body;
};

async function someOfEach(user: TestUser) {
  const ask = asking(user);
  const { goal } = await well(
    ask("POST", "/api/goals/store", {
      challenge: {
        tasks: [
          {
            title: "Walk",
            duration: 900,
            action_duration: 60,
            distance: 3.1,
            is_interval: 1,
            sets: 2,
            timers: [{ title: "Up", duration: 30 }],
            is_list: true,
            items: [{ uuid: "i", title: "Boots", x: false }],
          },
        ],
      },
    }),
  );
  const { challenge } = await well(
    ask("POST", "/challenges", { challenge: { title: "Walks", is_preset: false, duration: 3600 } }),
  );
  const parts = [
    {
      uuid: "group",
      type: "event",
      parts: [{ uuid: "part", title: "Up", duration: 600, per_participant: "0" }],
    },
  ];
  const { challenge_event: session } = await well(
    ask("POST", "/challenge-events", {
      challenge: {
        title: "A walk",
        challenge_id: challenge.id,
        duration: 1800,
        is_manually_started: "true",
        parts,
      },
    }),
  );
  return { ask, goal, challenge, session };
}

describe("X-05 spans and distances", () => {
  test("X-05 planned spans are whole seconds, measured spans milliseconds, distances miles", async () => {
    const { ask, goal, challenge, session } = await someOfEach(await makeUser());
    // An interval timer's duration is its intervals times its sets (T-14); the goal has its own.
    expect(goal).toMatchObject({ action_duration: 60, distance: 3.1, timers: [{ duration: 30 }] });
    expect(challenge).toMatchObject({ duration: 3600 });
    expect(session).toMatchObject({ duration: 1800, remaining_duration: 1_800_000 });
    const [part] = session.parts[0].parts;
    expect(part).toMatchObject({ duration: 600, elapsed_duration: 0, remaining_duration: 600_000 });

    const typed = await well(
      ask("POST", "/api/logs/store-quick-log", { goal_id: goal.id, duration: 120, distance: 1.25 }),
    );
    expect(typed.log).toMatchObject({ duration: 120, distance: 1.25 });
    expect(typed.goal).toMatchObject({
      duration_elapsed: 120_000,
      distance_elapsed: 1.25,
      distance_remaining: 1.85,
    });

    const run = await well(
      ask("POST", "/api/logs/store-quick-log", { goal_id: goal.id, duration: 300, status: 1 }),
    );
    vi.setSystemTime(NOW + 90_500);
    const stopped = await well(ask("POST", `/api/challenge-logs/${run.log.id}/stop`, { status: 4 }));
    expect(stopped.log).toMatchObject({
      duration: 300,
      elapsed_duration: 90_500,
      remaining_duration: 209_500,
    });
    expect(stopped.goal.duration_elapsed).toBe(210_500);

    await well(ask("POST", `/challenge-events/${session.id}/start`, {}));
    vi.setSystemTime(NOW + 90_500 + 60_250);
    const { serverData } = await well(ask("GET", `/api/sessions/${session.id}`));
    expect(serverData.session.parts[0].parts[0]).toMatchObject({
      elapsed_duration: 60_250,
      remaining_duration: 539_750,
    });
    expect(serverData.session.remaining_duration).toBe(1_800_000 - 60_250);
  });

  test("X-05 a planned span that is no whole number of seconds is refused at its field", async () => {
    const { ask, goal, session } = await someOfEach(await makeUser());
    const parts = [{ uuid: "g", type: "event", parts: [{ uuid: "p", title: "Up", duration: 0.5 }] }];
    for (const [field, asked] of [
      [
        "duration",
        ask("PATCH", `/api/goals/update/${goal.id}`, { challenge: { tasks: [{ duration: 1.5 }] } }),
      ],
      [
        "action_duration",
        ask("PATCH", `/api/goals/update/${goal.id}`, { challenge: { tasks: [{ action_duration: 1.5 }] } }),
      ],
      ["duration", ask("POST", "/api/logs/store-quick-log", { goal_id: goal.id, duration: 1.5 })],
      ["duration", ask("PATCH", `/challenge-events/${session.id}/patch`, { challenge: { duration: 600.5 } })],
      [
        "parts.0.parts.0.duration",
        ask("POST", `/challenge-events/${session.id}/parts`, { challenge: { parts } }),
      ],
    ] as const) {
      const { status, body } = await asked;
      expect([status, Object.keys(body.fields)]).toEqual([422, [field]]);
    }
  });

  test("X-01 R-33 the fields of a refusal have the names that the call takes", async () => {
    const [user, other] = [await makeUser(), await makeUser()];
    const { body: made } = await callAs(other, "POST", "/groups/store", { hut: { title: "Not hers" } });
    for (const [path, sent, fields] of [
      ["/items", { itemData: { title: "x", content: "", group_id: made.hut.id } }, ["group_id"]],
      ["/goals/add-to-my-goals", { challengeEventId: "x" }, ["challengeEventId", "goalUuid"]],
      ["/goals/add-to-my-goals", { challengeEventId: 1, goalUuid: "g", noSuchField: 1 }, ["noSuchField"]],
      ["/tokens/purchase", {}, ["paymentIntent"]],
      ["/api/logs/store-quick-log", { goal_id: "x" }, ["goal_id"]],
    ] as const) {
      const { status, body } = await callAs(user, "POST", path, sent);
      expect([path, status, Object.keys(body.fields)]).toEqual([path, 422, fields]);
    }
  });
});

describe("X-06 flags", () => {
  test.each([
    [0, 0],
    [1, 1],
    [false, 0],
    [true, 1],
    ["0", 0],
    ["1", 1],
    ["false", 0],
    ["true", 1],
  ])("X-06 %j comes in and leaves as %i", async (given, out) => {
    const ask = asking(await makeUser());
    const tasks = [{ title: "Pack", is_list: given, items: [{ uuid: "i", title: "Rope", x: given }] }];
    const { goal } = await well(ask("POST", "/api/goals/store", { challenge: { tasks } }));
    expect([goal.is_list, goal.items[0].x]).toEqual([out, out]);
    const { challenge } = await well(
      ask("POST", "/challenges", { challenge: { title: "A", is_preset: given } }),
    );
    expect(challenge.is_preset).toBe(out);
    const { challenge_event } = await well(
      ask("POST", "/challenge-events", {
        challenge: {
          title: "S",
          challenge_id: challenge.id,
          duration: 600,
          is_manually_started: 1,
          is_free: given,
        },
      }),
    );
    expect(challenge_event.is_free).toBe(out);
    const { item } = await well(
      ask("POST", "/items", { itemData: { title: "I", status: given, is_book: given } }),
    );
    expect([item.status, item.is_book]).toEqual([out, out]);
    const favorite = { favoritable_type: "item", favoritable_id: item.id, favorite: given };
    expect(await well(ask("POST", "/favorites", favorite))).toEqual({ favorite: out });
  });

  test("X-06 any other value is refused as a flag at its field", async () => {
    const ask = asking(await makeUser());
    for (const given of [2, -1, "yes", [], {}]) {
      const { status, body } = await ask("POST", "/items", { itemData: { title: "I", status: given } });
      expect([status, Object.keys(body.fields)]).toEqual([422, ["status"]]);
    }
  });

  test("X-06 no answer contains true or false", async () => {
    const { ask, goal, challenge, session } = await someOfEach(await makeUser());
    const { hut } = await well(ask("POST", "/groups/store", { hut: { title: "A hut" } }));
    const paths = [
      ..."/get-user /api/home /api/activities /api/events /api/groups /api/me /api/pricing /api/subscribe".split(
        " ",
      ),
      ..."/api/my/goals /api/my/logs /api/my/sessions /api/my/groups /api/my/notes /me/persons /api/books".split(
        " ",
      ),
      ...["", "/logs", "/notes"].map((tab) => `/api/my/goals/${goal.id}${tab}`),
      ...["", "/goals", "/member-goals", "/logs", "/hut", "/chat"].map(
        (tab) => `/api/sessions/${session.id}${tab}`,
      ),
      `/api/activities/${challenge.slug}`,
      ...[`/api/group/${hut.slug}`, `/api/group/${hut.slug}/sessions`, `/api/hut/${hut.slug}/activities`],
    ];
    for (const path of paths) {
      const found: string[] = [];
      const look = (value: unknown, at: string): void => {
        if (typeof value === "boolean") found.push(at);
        if (typeof value === "object" && value !== null)
          for (const [key, inner] of Object.entries(value)) look(inner, `${at}.${key}`);
      };
      look(await well(ask("GET", path)), path);
      expect(found).toEqual([]);
    }
  });
});

test("A-02 a signed-in user has a name, an account and tokens, and can do everything that users can", async () => {
  const [host, user] = await Promise.all([makeUser(), makeUser()]);
  const { challenge, session } = await someOfEach(host);
  const { hut } = await well(callAs(host, "POST", "/groups/store", { hut: { title: "A hut" } }));
  const admin = await makeUser({ roleId: 10 });
  await well(callAs(admin, "POST", "/tokens/tokens/add-free", { amount: 500 }));
  const ask = asking(user);

  const me = await well(ask("GET", "/get-user"));
  expect(me).toMatchObject({ username: user.username, email: user.email, all_remaining_tokens: 10 });
  const { user: named } = await well(
    ask("PATCH", "/account/user/profile", { userData: { first_name: "Ada" } }),
  );
  expect(named.first_name).toBe("Ada");

  const { goal } = await well(ask("POST", "/api/goals/store", { challenge: { tasks: [{ title: "Read" }] } }));
  await well(
    ask("PATCH", `/api/goals/update/${goal.id}`, { challenge: { tasks: [{ title: "Read more" }] } }),
  );
  const { log } = await well(ask("POST", "/api/logs/store-quick-log", { goal_id: goal.id, amount: 2 }));
  await well(ask("PATCH", `/api/challenge-logs/${log.id}/update`, { amount: 3 }));
  const note = await well(ask("POST", "/api/notes", { title: "A note" }));
  await well(ask("PATCH", `/api/notes/${note.id}`, { title: "Another" }));
  const { serverData } = await well(ask("GET", `/api/my/goals/${goal.id}`));
  expect(serverData.goal).toMatchObject({ title: "Read more", amount_elapsed: 3 });

  await well(ask("POST", `/challenges/${challenge.slug}/join`, {}));
  await well(ask("POST", `/groups/${hut.slug}/join`, {}));
  await well(ask("POST", `/challenge-events/${session.id}/join`, {}));
  await well(ask("POST", `/challenges/${session.slug}/posts`, { item: { content: "Hello" } }));
  await well(callAs(host, "POST", `/challenge-events/${session.id}/start`, {}));
  await well(ask("POST", `/challenge-events/${session.id}/logs`, { title: "Up", amount: 1 }));
  const said = { content: "Here", messageable_type: "challenge_event", messageable_id: session.id };
  await well(ask("POST", "/messages", said));
  expect((await well(ask("POST", `/api/challenge-events/${session.id}/leave`, {}))).is_joined).toBe(0);
  expect((await well(ask("DELETE", `/groups/${hut.slug}/leave`))).hut.is_joined).toBe(0);
  expect((await well(ask("POST", `/challenges/${challenge.slug}/leave`, {}))).challenge.is_joined).toBe(0);

  const tokens = async () => (await well(ask("GET", "/get-user"))).all_remaining_tokens;
  const before = await tokens();
  await well(ask("POST", "/tokens/tokens/redeem-available", {}));
  expect(await tokens()).toBe(before + 500);

  const card = { number: "4242 4242 4242 4242", exp_month: 1, exp_year: 2040, cvc: "123" };
  const { client_secret } = await well(ask("GET", "/tokens/get-payment-intent"));
  const { payment_intent } = await well(ask("POST", "/practice/confirm", { client_secret, card }));
  await well(ask("POST", "/tokens/purchase", { paymentIntent: payment_intent.id }));
  expect(await tokens()).toBe(before + 510);

  const made = await well(ask("POST", "/api/subscriptions/create/goals_sub", {}));
  await well(ask("POST", "/practice/confirm", { client_secret: made.clientSecret, card, save: 1 }));
  expect((await well(ask("GET", "/get-user"))).subscription.product.title).toBeTruthy();
  const { subscription } = await well(ask("POST", "/api/subscriptions/cancel", { id: made.subscription.id }));
  expect(subscription.end_date).not.toBeNull();
});
