// Bad input to every call of wire/calls, by a visitor and by the owner of the thing. The answer always
// has the documented shape with a known code and its status, and is never SERVER_ERROR. Each call gets two drawn values;
// `npm run test:long -- hostile` sends it all.
import { beforeAll, describe, expect, test } from "vitest";
import { api } from "#workers/api";
import { STATUS_OF } from "~/domain/errors";
import { asDeployed } from "./support/as-deployed";
import { ask, callAs, ORIGIN } from "./support/ask";
import { makeUser, type TestUser } from "./support/factories";
import { drawn } from "./support/property-seed";

// So many values would meet the limits instead of the doors.
asDeployed({ RATE_LIMITS: "off" });

const NUL = String.fromCharCode(0);
const HUGE = "x".repeat(120_000);
const VALUES: [string, unknown][] = [
  ["null", null],
  ["a number", 7],
  ["a negative number", -1],
  ["a huge number", 1e300],
  ["a fraction", 0.0001],
  ["an empty text", ""],
  ["a NUL", `a${NUL}b`],
  ["a lone surrogate", "\ud800"],
  ["markup", "<script>alert(1)</script>'\"; DROP TABLE users;--"],
  ["a huge text", HUGE],
  ["a list", ["x", 1, null]],
  ["a list of lists", [[[{}]]]],
  ["an object", { toString: 1, $gt: "" }],
  ["true", true],
];
const PATH_VALUES = ["0", "-1", "99999999999999999999", "1e3", NUL, "../x", "'--", "é".repeat(300)];
const FLAT = new Set(["null", "a number", "an empty text", "a list", "an object"]);
/** Every field name that any call reads. */
const NAMES = [
  ..."email password password_confirmation name first_name last_name username token message_key amount".split(
    " ",
  ),
  ..."paymentIntent token_pool default_payment_method payment_method client_secret card save id product".split(
    " ",
  ),
  ..."challenge hut item itemData userData goal tasks parts part items group groups timers list".split(" "),
  ..."challengeEventId goalUuid goal_id task_uuid ql_button_uuid quick_log_buttons type title content".split(
    " ",
  ),
  ..."summary started_at ended_at paused_at status elapsed_duration remaining_duration duration distance".split(
    " ",
  ),
  ..."action unit completions_required is_list is_interval is_free is_preset todo done link uuid order".split(
    " ",
  ),
  ..."events_group_uuid linked hidden auto_start sets per_participant time_from start_of edit_content".split(
    " ",
  ),
  ..."edit_prompt edit_summary is_focus participant_limit join_code donation_link group_id hut_id parent_id".split(
    " ",
  ),
  ..."is_manually_started category difficulty category_name challenge_id challenge_slug slug order_ms".split(
    " ",
  ),
  ..."is_book client_uuid request_uuid contribution role host seconds leave is_ready ready snippet_id".split(
    " ",
  ),
  ..."favoritable_type favoritable_id favorite messageable_type messageable_id person log note is_timed".split(
    " ",
  ),
  ..."before after page per_page q date from to time_zone events_groups relative_dates timeKey".split(" "),
];
const everywhere = (value: unknown) => {
  const flat = Object.fromEntries(NAMES.map((name) => [name, value]));
  // The huge text appears once: thirty copies would be TOO_LARGE before any schema reads them.
  return value === HUGE ? { title: value, content: value, challenge: { title: value } } : flat;
};
const wrapped = (value: unknown) => {
  const flat = everywhere(value);
  return {
    ...flat,
    challenge: { ...flat, tasks: [flat], parts: [flat] },
    hut: flat,
    item: flat,
    itemData: flat,
    userData: flat,
  };
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The difference between this answer and the documented shape, or null. */
function wrongIn(answer: { status: number; body: unknown }): string | null {
  const { status, body } = answer;
  if (status < 400) return null;
  if (!isObject(body)) return `status ${status} without a JSON body`;
  const { message, error, error_code, errors, fields } = body;
  const expected = STATUS_OF[error_code as keyof typeof STATUS_OF] as number | undefined;
  if (expected === undefined) return `status ${status} with unknown code ${String(error_code)}`;
  if (expected !== status) return `${String(error_code)} with status ${status}`;
  if (status >= 500) return `${String(error_code)}`;
  if (typeof message !== "string" || message === "" || message !== error) return "message and error differ";
  if (!Array.isArray(errors) || errors.length === 0 || errors.some((e) => typeof e !== "string" || e === ""))
    return "errors are no sentences";
  if (!isObject(fields)) return "no fields";
  const isSentences = (list: unknown) =>
    Array.isArray(list) && list.length > 0 && list.every((one) => typeof one === "string" && one !== "");
  return Object.values(fields).every(isSentences) ? null : "fields are no sentences";
}

let user: TestUser;
const own: Record<string, string> = {};
const path = (pattern: string, over: Record<string, string> = {}): string =>
  pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(over[name] ?? own[name] ?? "1"));

beforeAll(async () => {
  user = await makeUser({ tokens: 1_000_000 });
  const made = async (method: string, where: string, body: unknown) => {
    const answer = await callAs(user, method, where, body);
    expect(answer.status, `${where}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  };
  const { goal } = await made("POST", "/api/goals/store", { challenge: { tasks: [{ title: "A goal" }] } });
  const note = await made("POST", "/api/notes", { title: "A note", content: "Text", goal_id: goal.id });
  const { log } = await made("POST", "/api/logs/store-quick-log", { goal_id: goal.id, amount: 1 });
  const { hut } = await made("POST", "/groups/store", { hut: { title: "A hut" } });
  const { item } = await made("POST", "/items", { itemData: { title: "An item" } });
  const { challenge } = await made("POST", "/challenges", { challenge: { title: "An activity" } });
  const { challenge_event: session } = await made("POST", "/challenge-events", {
    challenge: { title: "A session", challenge_id: challenge.id, duration: 3600, is_manually_started: 1 },
  });
  Object.assign(own, {
    goal: String(goal.id),
    note: String(note.id),
    log: String(log.id),
    hut: hut.slug,
    item: String(item.id),
    challenge: session.slug,
    event: String(session.id),
    person: user.username,
    username: user.username,
    product: "goals_sub",
    uuid: goal.uuid,
    part: crypto.randomUUID(),
    type: "event",
  });
});

type Call = (typeof api)[number]["call"];
const named = api.map(({ call }, n) => [`${call.method} ${call.path}`, call, n] as [string, Call, number]);
/** These calls end the login or switch the person, so each attempt has its own user. */
const actorOf = async (call: Call) =>
  /logout|password|logins|persons|delete|profile/i.test(call.path) ? makeUser() : user;

describe("X-01 X-02 hostile input", () => {
  test.each(named)("X-01 X-02 %s", async (_name, call, place) => {
    const values = drawn(VALUES, 2, place);
    const problems: string[] = [];
    const actor = await actorOf(call);
    const tryOne = async (what: string, answer: { status: number; body: unknown }) => {
      const wrong = wrongIn(answer);
      if (wrong) problems.push(`${what}: ${wrong} ${JSON.stringify(answer.body).slice(0, 200)}`);
    };
    const hasBody = call.method !== "GET";
    if (hasBody) {
      await tryOne("no body", await callAs(actor, call.method, path(call.path)));
      for (const [what, value] of values) {
        // Wrapper names need only one attempt.
        if (FLAT.has(what))
          await tryOne(
            `fields: ${what}`,
            await callAs(actor, call.method, path(call.path), everywhere(value)),
          );
        await tryOne(`within: ${what}`, await callAs(actor, call.method, path(call.path), wrapped(value)));
      }
      for (const [what, value] of [
        ["list", []],
        ["text", "x"],
        ["number", 1],
        ["null", null],
      ] as const)
        await tryOne(`a ${what} as body`, await callAs(actor, call.method, path(call.path), value));
    } else {
      for (const [, value] of values.filter(([, value]) => typeof value === "string" && value !== HUGE)) {
        const query = NAMES.map(
          (name) => `${name}=${encodeURIComponent((value as string).replace("\ud800", "%"))}`,
        );
        await tryOne("query", await callAs(actor, "GET", `${path(call.path)}?${query.join("&")}`));
      }
      await tryOne(
        "query",
        await callAs(actor, "GET", `${path(call.path)}?page=-1&page=x&before=1e400&q[]=1&%E0%A4%A=1`),
      );
    }
    const params = [...call.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
    for (const name of params)
      for (const value of drawn(PATH_VALUES, 2, place))
        await tryOne(
          `{${name}} = ${value.slice(0, 30)}`,
          await callAs(actor, call.method, path(call.path, { [name]: value }), hasBody ? {} : undefined),
        );
    expect(problems).toEqual([]);
  });

  test.each(named)("X-02 %s of a visitor", async (_name, call) => {
    for (const body of call.method === "GET" ? [undefined] : [undefined, everywhere(["x"]), everywhere("")]) {
      const answer = await callAs(null, call.method, path(call.path), body);
      expect(wrongIn(answer)).toBeNull();
      if (call.who !== "anyone") expect(answer.body.error_code).toBe("UNAUTHENTICATED");
    }
    if (call.who === "super-admin")
      expect((await callAs(user, call.method, path(call.path), {})).body.error_code).toBe("FORBIDDEN");
  });

  test.each(named.filter(([, call]) => call.method !== "GET"))(
    "X-02 X-03 R-35 %s: not JSON, broken JSON, too long, no token",
    async (_name, call) => {
      const actor = await actorOf(call);
      const headers = {
        Cookie: `XSRF-TOKEN=test-xsrf-token-0123456789; login=${actor.loginToken}`,
        Origin: ORIGIN,
        "X-XSRF-TOKEN": "test-xsrf-token-0123456789",
      };
      const send = async (body: string, type: string, over: Record<string, string> = {}) => {
        const response = await ask(path(call.path), {
          method: call.method,
          headers: { ...headers, "Content-Type": type, ...over },
          body,
        });
        const answer = { status: response.status, body: JSON.parse(await response.text()) };
        expect(wrongIn(answer)).toBeNull();
        return answer.body.error_code;
      };
      if (call.who !== "super-admin") {
        expect(await send("{", "application/json")).toBe("INVALID");
        expect(await send(`{"a":"\\ud8"}${NUL}`, "application/json")).toBe("INVALID");
        expect(await send("title=x", "text/plain")).toBe("UNSUPPORTED_TYPE");
        expect(await send(`"${"x".repeat(call.bodyLimit)}"`, "application/json")).toBe("TOO_LARGE");
      }
      expect(await send("{}", "application/json", { "X-XSRF-TOKEN": "" })).toBe("CSRF_MISMATCH");
      expect(await send("{}", "application/json", { Origin: "https://evil.example" })).toBe("CSRF_MISMATCH");
    },
  );
});
