// The answer to a visitor whose action needs a login: one sentence for every call (M-27).
import { expect, test } from "vitest";
import { api } from "#workers/api";
import { callAs } from "./support/ask";

const SIGN_IN = "Please sign in to use that feature.";
/** The actions of V-19, with their bodies. */
const NAMED: [string, string, object][] = [
  ["POST", "/challenges/any/join", {}],
  ["POST", "/groups/any/join", {}],
  ["POST", "/groups/store", { hut: { title: "A hut" } }],
  ["POST", "/challenges", { challenge: { title: "From a template" } }],
  ["POST", "/challenges/any/posts", { item: { title: "Hello", content: "Hello" } }],
  ["POST", "/messages", { content: "Hello", messageable_type: "challenge_event", messageable_id: 1 }],
  ["POST", "/api/goals/store", { challenge: { tasks: [{ title: "Read" }] } }],
  ["POST", "/api/logs/store-quick-log", { goal_id: 1 }],
  ["POST", "/challenge-events/1/logs", { title: "Read" }],
  ["POST", "/api/notes", { title: "Note" }],
];

test("M-27 every call that needs a login refuses a visitor with the same sentence, before any other check", async () => {
  const needing = api.filter(({ call }) => call.who !== "anyone");
  expect(needing.length).toBeGreaterThan(60);
  const asked: [string, string, object][] = [
    ...NAMED,
    ...needing.map(({ call }): [string, string, object] => [
      call.method,
      call.path.replace(/\{\w+\}/g, "1"),
      {},
    ]),
  ];
  for (const [method, path, body] of asked) {
    const answer = await callAs(null, method, path, method === "GET" ? undefined : body);
    expect([answer.status, answer.body.message, answer.body.error_code], `${method} ${path}`).toEqual([
      401,
      SIGN_IN,
      "UNAUTHENTICATED",
    ]);
  }
});

test("M-27 a visitor who filters a list by their own gets the same sentence", async () => {
  for (const path of ["/api/home?joined=1", "/api/activities?joined=1", "/api/groups?joined=1"]) {
    const { status, body } = await callAs(null, "GET", path);
    expect([path, status, body.message ?? body]).toEqual([path, 401, SIGN_IN]);
  }
});
