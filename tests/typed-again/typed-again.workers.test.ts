// No form loses typed text. Every form of the app, refused for one field without JavaScript, comes back with
// everything typed and the sentence at its field.
import { describe, expect, test } from "vitest";
import { makeUser, type TestUser } from "../support/factories";
import { openPage, post, type ReadField, type ReadForm, standsIn } from "../support/forms";
import { ROOM_NOW } from "../support/rooms";
import { CASES, type Case } from "./cases";
import type { Typed } from "./filled";

const formOf = (forms: readonly ReadForm[], { intent, typed, has }: Case): ReadForm | undefined =>
  forms.find(
    (form) =>
      (intent === "" || standsIn(form, "intent") === intent) &&
      (has === undefined || standsIn(form, has) !== undefined) &&
      Object.keys(typed).some((name) => standsIn(form, name) !== undefined),
  );

const isText = ({ kind }: ReadField): boolean => !["hidden", "button", "radio", "select"].includes(kind);

async function open(one: Case) {
  const user = one.visitor ? null : await makeUser({ roleId: one.roleId ?? 1 });
  const path = typeof one.path === "string" ? one.path : await one.path(user as TestUser);
  const page = await openPage(user, path);
  expect(page.status, `${path} ${page.location}`).toBe(200);
  const form = formOf(page.forms, one);
  if (!form)
    throw new Error(
      `no such form on ${path}: ${JSON.stringify(page.forms.map((f) => f.fields.map((g) => `${g.name}=${g.value.slice(0, 20)}`)))}`,
    );
  return { user, path, form };
}

/** Posts the form, expects a refusal and returns the form that comes back. */
async function refused(one: Case, { user, path, form }: Awaited<ReturnType<typeof open>>, typed: Typed) {
  const answer = await post(user, path, form, typed);
  expect(answer.status, `${answer.location}`).toBe(one.status ?? 422);
  const again = formOf(answer.forms, one);
  if (!again) throw new Error("the form did not come again");
  // A repeated hidden field would change the next post.
  const hidden = again.fields.filter(({ kind }) => kind === "hidden").map(({ name }) => name);
  expect(hidden.filter((name, index) => hidden.indexOf(name) !== index)).toEqual([]);
  return { answer, again };
}
/** A value over 10 kB is not sent back; the browser's Back button still has it. */
const sentBack = (typed: Typed): Typed =>
  Object.fromEntries(
    Object.entries(typed).map(([name, value]) => [name, value.length > 10_000 ? "" : value]),
  );
const standing = (form: ReadForm, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, standsIn(form, name)]));

describe("a refused form comes back as typed", () => {
  test.each(Object.entries(CASES))("%s", async (_, one) => {
    const opened = await open(one);
    const names = Object.keys(one.typed);
    // The form has every field of the table.
    expect(names.filter((name) => standsIn(opened.form, name) === undefined)).toEqual([]);

    const { answer, again } = await refused(one, opened, one.typed);
    expect(standing(again, names)).toEqual({
      ...sentBack(one.typed),
      ...Object.fromEntries((one.secret ?? []).map((name) => [name, ""])),
    });
    const wrong = again.fields.find(({ name }) => name === one.wrong);
    const said =
      one.wrong === ""
        ? [...answer.texts.values()]
        : (wrong?.describedBy ?? []).map((id) => answer.texts.get(id) ?? "");
    expect(said.join(" ")).toMatch(one.sentence);
    if (one.wrong !== "") expect(wrong?.isInvalid).toBe(true);
  });
});

describe("an emptied field stays empty when another field is refused", () => {
  const cases = Object.entries(CASES).filter(([, one]) => one.wrong !== "" && !one.secret && !one.visitor);
  test.each(cases)("%s", async (name, one) => {
    const opened = await open(one);
    const names = [...new Set(opened.form.fields.filter(isText).map((field) => field.name))];
    const before = standing(opened.form, names);
    if (name.endsWith("changed"))
      expect(names.filter((name) => before[name] !== "").length, JSON.stringify(before)).toBeGreaterThan(1);
    const typed = Object.fromEntries(
      names.map((name) => [name, name === one.wrong ? (one.typed[name] ?? "") : ""]),
    );
    const { again } = await refused(one, opened, typed);
    expect(standing(again, names)).toEqual(sentBack(typed));
  });
});

describe("an emptied field is saved as empty", () => {
  const ASKED_ONCE = { action: "Do", completionsRequired: "1" };
  const TODAY = new Date(ROOM_NOW).toISOString().slice(0, 10);
  /** Fields that must not be empty, and the meaning of an empty field. */
  const NEEDED: Record<string, { sent: Typed; stands?: Typed }> = {
    "activity, changed": { sent: { title: "A walk" }, stands: { duration: "30m" } },
    "hut, changed": { sent: { title: "A hut" } },
    // The number of guests shows its default where the session takes none.
    "session, changed": { sent: { title: "Tonight", duration: "1h" }, stands: { guestLimit: "5" } },
    "item, changed": { sent: { title: "A list" } },
    "goal, changed": { sent: { title: "Read", every: "" }, stands: ASKED_ONCE },
    "note, changed": { sent: { title: "A plan" } },
    "log, changed": { sent: {}, stands: { day: TODAY } },
    profile: { sent: { email: "" } },
    "goal of a session, changed": { sent: { title: "Write", every: "" }, stands: ASKED_ONCE },
    "texts of a session, changed": { sent: { title: "Tonight" } },
    "paraphrase, changed": { sent: { content: "In my own words." } },
  };
  test.each(Object.entries(NEEDED))("%s", async (name, { sent, stands = {} }) => {
    const one = CASES[name] as Case;
    const opened = await open(one);
    const { user, path, form } = opened;
    const names = [...new Set(form.fields.filter(isText).map((field) => field.name))];
    const typed: Typed = { ...Object.fromEntries(names.map((field) => [field, ""])), ...sent };
    // A new email requires the password.
    if (name === "profile") typed.email = user?.email ?? "";
    const answer = await post(user, path, form, typed);
    expect([200, 302], JSON.stringify([...answer.texts])).toContain(answer.status);
    const again = formOf((await openPage(user, path)).forms, one);
    if (!again) throw new Error("the form is gone");
    // Emptied rows are gone, and a new empty row is ready.
    expect(
      again.fields
        .filter(({ name }) => /\.(title|link)$/.test(name))
        .map(({ value }) => value)
        .join(""),
    ).toBe("");
    const plain = names.filter((field) => !field.includes("["));
    expect(standing(again, plain)).toEqual({
      ...Object.fromEntries(plain.map((field) => [field, typed[field] ?? ""])),
      ...stands,
    });
  });
});
