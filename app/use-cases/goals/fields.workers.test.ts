// Every field of a goal, by the table's columns: none is lost when a session repeats, and none when a form is saved.
import { eq, getTableColumns } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { db, makeUser } from "#tests/support/factories";
import { openPage, post } from "#tests/support/forms";
import { makeGoal } from "#tests/support/goals";
import { makeSession } from "#tests/support/sessions";
import { OWN_FIELDS } from "~/domain/goals/goals";

type Row = typeof schema.goals.$inferSelect;
type Name = keyof Row;

const columns = Object.entries(getTableColumns(schema.goals));
/** Follow from other fields, name the owner, or are the last release's. */
const COMPUTED = ["contentHtml", "summary", "searchText", "userId", "lastDistance", "lastDistanceElapsed"];
const isOwn = (name: string) => OWN_FIELDS.some((own) => own === name);

/** An entry of any list of a goal. */
const ENTRY = {
  uuid: "entry",
  title: "Entry",
  content: "Text",
  link: "https://example.org/",
  action: "Read",
  isChecked: true,
  isInterval: false,
  amount: 2,
  distance: 2,
  duration: 2,
  sets: 1,
  timers: [],
  status: 2,
  completionsRequired: 2,
  order: 0,
};
/** By its type, and never its default; the length of an interval goal is that of its timer in two sets. */
function filling(name: string, column: (typeof columns)[number][1]): unknown {
  if (column.dataType === "boolean") return true;
  if (column.dataType === "string") return name === "link" ? "https://example.org/" : name;
  if (name === "quickLogButtons") return [ENTRY];
  if (column.dataType !== "json") return name === "duration" ? 4 : 2;
  if (name === "sharedTags") return ["tag"];
  return Array.isArray(column.default) ? [ENTRY] : { every: "day" };
}
const FILLED = Object.fromEntries(
  columns
    .filter(([name]) => !isOwn(name) && !COMPUTED.includes(name))
    .map(([name, column]) => [name, filling(name, column)]),
) as Partial<Row>;
const NAMES = Object.keys(FILLED) as Name[];

/** Reading a list drops what its entries do not have. */
function expectSame(after: Row | undefined, before: Partial<Row>) {
  for (const name of NAMES) expect({ [name]: before[name] }, name).toMatchObject({ [name]: after?.[name] });
}
const goalsOf = (sessionId: number) =>
  db.select().from(schema.goals).where(eq(schema.goals.sessionId, sessionId));

test("G-02 the repeat of a session takes each field of its goals that does not belong to only one goal", async () => {
  const host = await makeUser();
  const { id } = await makeSession(host);
  await makeGoal(host, { ...FILLED, sessionId: id });
  const { status, body } = await callAs(host, "POST", `/challenge-events/${id}/repeat`, {});
  expect(status).toBe(201);
  const [copy] = await goalsOf(body.challenge_event.id);
  // A shared goal has no reminder (N-23), and a new list no ticks.
  expectSame(copy, { ...FILLED, remindAt: null, items: [{ ...ENTRY, isChecked: false }] });
  expect(NAMES.length).toBeGreaterThan(20);
});

test("E-10 a saved form keeps each field of its goal, with a control or without", async () => {
  const user = await makeUser();
  const before = await makeGoal(user, FILLED);
  const path = `/my/goals/${before.id}?edit=${before.id}`;
  const page = await openPage(user, path);
  const form = page.forms.find(({ fields }) => fields.some(({ value }) => value === "goal.update"));
  if (!form) throw new Error("no form");
  expect((await post(user, path, form, { title: "Other title" })).status).toBe(302);
  const [after] = await db.select().from(schema.goals).where(eq(schema.goals.id, before.id));
  expectSame(after, { ...FILLED, title: "Other title" });
});
