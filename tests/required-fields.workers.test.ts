// Every call that writes, without each field of its body in turn: it is refused exactly where the document requires the
// field (O-10). The requests are those of tests/again.
import { beforeAll, expect, test, vi } from "vitest";
import * as attempts from "#workers/adapters/attempts";
import openApi from "~/wire/openapi.json";
import { BODIES_AGAIN, ROWS, type Row } from "./again/rows";
import { QUERIES } from "./roles/calls";
import { type Actor, assemble, type Cast, confirmAddressOf } from "./roles/cast";
import { makeThing } from "./roles/things";
import { callAs } from "./support/ask";
import { everyCall } from "./support/every-call";
import { makeUser } from "./support/factories";

type Operation = {
  operationId: string;
  requestBody?: { content: Record<string, { schema: { properties: object; required: string[] } }> };
};
const BODIES = new Map(
  Object.values(openApi.paths)
    .flatMap((methods) => Object.values(methods as unknown as Record<string, Operation>))
    .map(({ operationId, requestBody }) => [
      operationId,
      Object.values(requestBody?.content ?? {})[0]?.schema,
    ]),
);

/** The only field of a body that lacks the others of which one is enough. */
const EITHER: Record<string, string> = {
  checkLogin: "current_password",
  confirmPractice: "card",
  createNote: "title",
  changeSeries: "paused",
  createSession: "duration",
};

let cast: Cast;
beforeAll(async () => {
  cast = await assemble();
  await callAs(cast.of("super"), "POST", "/tokens/tokens/add-free", { amount: 20_000 });
  vi.spyOn(attempts, "createAttempts").mockReturnValue({
    take: async () => {},
    giveBack: async () => {},
    clear: async () => {},
  });
  return () => void vi.restoreAllMocks();
});

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;
/** The body without a field, at the top, inside its wrapper or in its only goal. */
function without(body: Fields, field: string, known: object, depth = 0): Fields {
  const rest = Object.entries(body).filter(([name]) => name !== field);
  if (rest.length < Object.keys(body).length || depth === 2) return Object.fromEntries(rest);
  const inside = (name: string, value: unknown): unknown => {
    if (name === "tasks" && Array.isArray(value) && !("tasks" in known))
      return value.map((one) => (isFields(one) ? without(one, field, known, 2) : one));
    return isFields(value) && !Array.isArray(value) && !(name in known)
      ? without(value, field, known, depth + 1)
      : value;
  };
  return Object.fromEntries(rest.map(([name, value]) => [name, inside(name, value)]));
}

/** The request of a line with a new thing, without the field, and its answer. */
async function send(row: Row, field: string, known: object) {
  const user =
    row.as === "stranger" || row.as === "super"
      ? await makeUser({ tokens: 5_000_000, roleId: row.as === "super" ? 10 : 1 })
      : cast.of(row.as);
  await confirmAddressOf(user);
  const actor: Actor = { role: row.as, user };
  const thing = await makeThing(cast, row.kind, row.target, actor);
  const whole = (BODIES_AGAIN[row.name]?.(thing, actor) ?? {}) as Fields;
  const { method, path } = everyCall[row.call];
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(row.call === "createSubscription" ? "goals_sub" : String(thing[name])),
  );
  const by = ["login", "register"].includes(row.call) ? null : user;
  const query = QUERIES[row.call]?.(thing) ?? "";
  const answer = await callAs(by, method, address + query, without(whole, field, known));
  return { isRefused: answer.status === 422, answer, whole };
}

/** The first line of each call that succeeds with a body. */
const WRITES = ROWS.filter(
  (row, at) =>
    row.first === "ok" && BODIES.get(row.call) && ROWS.findIndex(({ call }) => call === row.call) === at,
);

test.each(WRITES.map((row) => [row.call, row] as const))(
  "O-10 %s is refused without a field exactly where the document requires it",
  async (name, row) => {
    const { properties, required } = BODIES.get(row.call) ?? { properties: {}, required: [] };
    const wrong: string[] = [];
    const { isRefused, whole } = await send(row, "", properties);
    expect(isRefused).toBe(false);
    for (const field of Object.keys(properties)) {
      const isRequired = required.includes(field);
      const isSent = JSON.stringify(without(whole, field, properties)) !== JSON.stringify(whole);
      if (!isSent && isRequired) wrong.push(`${field} is required, and the body lacks it`);
      if (!isSent || EITHER[name] === field) continue;
      const { isRefused, answer } = await send(row, field, properties);
      if (isRefused !== isRequired)
        wrong.push(`${field}: required ${isRequired}, ${answer.status} ${answer.body?.message}`);
    }
    expect(wrong).toEqual([]);
  },
  60_000,
);

test("O-10 nearly every call with a body is in this table", () => {
  const withBody = [...BODIES].filter(([, schema]) => schema).length;
  expect(WRITES.length).toBeGreaterThan(withBody * 0.75);
});
