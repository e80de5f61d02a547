// Fields that no call has, in the body of every changing call.
import { expect, test } from "vitest";
import document from "./openapi.json";
import { findUnknownFields } from "./unknown-fields";

type Body = { content: Record<string, { schema: { properties?: Record<string, unknown> } }> };
type Operation = { operationId: string; requestBody?: Body };

const CALLS = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, Operation>).flatMap(([method, { operationId, requestBody }]) => {
    const schema = requestBody?.content["application/json"]?.schema;
    const fields = Object.keys(schema?.properties ?? {});
    return method === "get" || operationId === "uploadImage"
      ? []
      : [{ operationId, method: method.toUpperCase() as "POST", path, fields }];
  }),
);

test("C-01 every changing call knows its own fields and no other", () => {
  expect(CALLS.length).toBeGreaterThan(100);
  const wrong = CALLS.flatMap((call) => {
    const own = Object.fromEntries(call.fields.map((name) => [name, 1]));
    const keys = { client_uuid: "a", request_uuid: "b" };
    const found = findUnknownFields(call, { ...own, ...keys, titel: "A" });
    return found.join() === "titel" ? [] : [`${call.operationId}: ${found}`];
  });
  expect(wrong).toEqual([]);
});

const goal = { method: "PATCH", path: "/api/goals/update/{goal}" } as const;
const session = { method: "POST", path: "/challenge-events" } as const;
const part = { method: "PATCH", path: "/challenges/{challenge}/parts/{part}" } as const;
test.each([
  ["in a wrapper", goal, { challenge: { tasks: [{ title: "A", amunt: 1 }] } }, ["amunt"]],
  ["in a list", goal, { quick_log_buttons: [{ amount: 1 }, { amunt: 1 }] }, ["quick_log_buttons.1.amunt"]],
  [
    "in a part",
    session,
    { challenge: { parts: [{ parts: [{ titel: "A" }] }], tasks: [{ titel: "B" }] } },
    ["parts.0.parts.0.titel", "tasks.0.titel"],
  ],
  ["in a part without a group", session, { parts: [{ title: "A", minutes: 1 }] }, ["parts.0.minutes"]],
  [
    "as a name of every object",
    goal,
    JSON.parse('{"__proto__":1,"constructor":2}'),
    ["__proto__", "constructor"],
  ],
])("C-01 an unknown field is found %s", (_, call, body, found) =>
  expect(findUnknownFields(call, body)).toEqual(found),
);

test.each([
  ["the goal that a call answered", goal, { id: 1, can_complete: 1, amount_elapsed: 5, is_owner: 1 }],
  ["the group of a part", part, { part: { hidden: 1, auto_start: 0, sets: 2, setsRemaining: 1 } }],
  [
    "names that are data",
    { method: "PATCH", path: "/challenges/{challenge}/parts/reorder" },
    { parts: { a: 0 } },
  ],
  [
    "an answer of a passkey",
    { method: "POST", path: "/login/passkey" },
    { response: { rawId: "a", type: "b" } },
  ],
  [
    "a browser's push",
    { method: "POST", path: "/account/push" },
    { endpoint: "a", expirationTime: null, keys: {} },
  ],
  [
    "a payment as the card provider's library answers it",
    { method: "POST", path: "/tokens/purchase" },
    { paymentIntent: { id: "pi_1", status: "succeeded", payment_method: "pm_1" }, token_pool: 0 },
  ],
  ["a name in place of a first name", { method: "POST", path: "/register" }, { name: "Ada" }],
  ["a client's own field", { method: "PATCH", path: "/items/{item}" }, { itemData: { isEdit: true } }],
  ["a body that is no object", goal, "title"],
] as const)("C-01 %s has no unknown field", (_, call, body) =>
  expect(findUnknownFields(call, body)).toEqual([]),
);
