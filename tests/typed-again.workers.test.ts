// Nothing that was typed is lost: every form of the app, filled in by a browser without JavaScript and refused
// for one field, comes again with the page, everything typed in it, and the sentence at its field.
import { describe, expect, test } from "vitest";
import { importBook } from "~/use-cases/books.server";
import { callAs } from "./support/ask";
import { appOf, makeUser, type TestUser } from "./support/factories";
import { openPage, post, type ReadForm, standsIn } from "./support/forms";
import { makeGoal } from "./support/goals";
import { makeActivity, makeHut, makeSession } from "./support/sessions";

type Case = {
  /** Where the form stands. */
  path: string | ((user: TestUser) => Promise<string>);
  intent: string;
  typed: Record<string, string>;
  /** The field that is wrong ("" the whole form), and what is said of it. */
  wrong: string;
  sentence: RegExp;
  status?: number;
  /** Never sent back. */
  secret?: readonly string[];
  visitor?: boolean;
  roleId?: number;
};
const TEXT = `Said <b>boldly</b> & "so"\nand on a second line`;
const goalOf = async (user: TestUser) => (await makeGoal(user)).id;
const logOf = async (user: TestUser) => {
  const goal = await goalOf(user);
  const { body, status } = await callAs(user, "POST", "/api/logs/store-quick-log", { goal_id: goal });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return { goal, log: body.log.id as number };
};

async function snippetOf(): Promise<string> {
  const app = await appOf(await makeUser());
  const book = await importBook(app, { title: "Of Huts", text: "Words that stay. ".repeat(20) });
  const { body } = await callAs(null, "GET", "/api/snippets/random");
  return `/books/${body.serverData.snippet.book.slug ?? book.slug}/snippets/${body.serverData.snippet.id}`;
}

const activity = {
  title: "A walk & a talk",
  content: TEXT,
  difficulty: "6",
  duration: "1h 5m",
  participantLimit: "many",
  isManuallyStarted: "on",
  isTemplate: "on",
};
const session = {
  title: "Tonight's walk",
  content: TEXT,
  prompt: "What did you see?",
  difficulty: "3",
  duration: "1h 10m",
  participantLimit: "many",
};
const goal = { title: "Read <more>", content: TEXT, action: "Read", amount: "-5" };

const CASES: Record<string, Case> = {
  "activity, new": {
    path: "/challenges/create",
    intent: "create",
    typed: activity,
    wrong: "participantLimit",
    sentence: /number of places/,
  },
  "activity, changed": {
    path: async (user) => `/challenges/${(await makeActivity(user)).slug}/update`,
    intent: "update",
    typed: activity,
    wrong: "participantLimit",
    sentence: /number of places/,
  },
  "hut, new": {
    path: "/groups/create",
    intent: "create",
    typed: { title: "x".repeat(101), content: TEXT },
    wrong: "title",
    sentence: /\w/,
  },
  "hut, changed": {
    path: async (user) => `/groups/${(await makeHut(user)).slug}/update`,
    intent: "update",
    typed: { title: "", content: TEXT },
    wrong: "title",
    sentence: /\w/,
  },
  "session, new": {
    path: "/challenges/events/create",
    intent: "",
    typed: {
      ...session,
      startMode: "manual",
      donationLink: "example.com/give",
      joinCode: "two stones",
      isFree: "on",
    },
    wrong: "participantLimit",
    sentence: /\w/,
  },
  "session, changed": {
    path: async (user) => `/events/${(await makeSession(user)).id}/update`,
    intent: "",
    typed: { ...session, duration: "soon", participantLimit: "12" },
    wrong: "duration",
    sentence: /\w/,
  },
  "item, new": {
    path: "/me?create=1",
    intent: "item.create",
    typed: { title: "", content: TEXT, isPublished: "on" },
    wrong: "title",
    sentence: /\w/,
  },
  "item, changed": {
    path: async (user) => {
      const { body } = await callAs(user, "POST", "/items", {
        itemData: { title: "x", content: "x", status: 1 },
      });
      return `/me?edit=${body.item.id}`;
    },
    intent: "item.update",
    typed: { title: "", content: TEXT, isPublished: "" },
    wrong: "title",
    sentence: /\w/,
  },
  "goal, new": {
    path: "/my/goals?create=1",
    intent: "goal.create",
    typed: goal,
    wrong: "amount",
    sentence: /\w/,
  },
  "goal, changed": {
    path: async (user) => {
      const id = await goalOf(user);
      return `/my/goals/${id}?edit=${id}`;
    },
    intent: "goal.update",
    typed: goal,
    wrong: "amount",
    sentence: /\w/,
  },
  "note, new": {
    path: "/my/notes?create=1",
    intent: "note.create",
    typed: { title: "x".repeat(201), content: TEXT, todo: "first\nthen", done: "this" },
    wrong: "title",
    sentence: /\w/,
  },
  "note, changed": {
    path: async (user) => {
      const { body } = await callAs(user, "POST", "/api/notes", { title: "x", content: "x" });
      return `/my/notes?edit=${body.id}`;
    },
    intent: "note.update",
    typed: { title: "x".repeat(201), content: TEXT, todo: "first\nthen", done: "this" },
    wrong: "title",
    sentence: /\w/,
  },
  "log by hand": {
    path: async (user) => `/my/goals/${await goalOf(user)}/logs`,
    intent: "log.create",
    typed: { title: "Chapter <1>", content: TEXT, amount: "99999999999999", duration: "20m" },
    wrong: "amount",
    sentence: /\w/,
  },
  "log, changed": {
    path: async (user) => {
      const { goal, log } = await logOf(user);
      return `/my/goals/${goal}/logs?edit=${log}`;
    },
    intent: "log.update",
    typed: { title: "Chapter <1>", content: TEXT, duration: "soon" },
    wrong: "duration",
    sentence: /\w/,
  },
  profile: {
    path: "/account",
    intent: "profile",
    typed: { email: "me at home", firstName: "Ada & Co", lastName: "Hill" },
    wrong: "email",
    sentence: /\w/,
  },
  "another person": {
    path: "/account",
    intent: "add-person",
    typed: { username: "a b" },
    wrong: "username",
    sentence: /\w/,
  },
  password: {
    path: "/account",
    intent: "password",
    typed: {
      currentPassword: "not this one",
      password: "a lantern at dusk",
      passwordConfirmation: "another",
    },
    wrong: "passwordConfirmation",
    sentence: /\w/,
    secret: ["currentPassword", "password", "passwordConfirmation"],
  },
  login: {
    path: "/auth/login",
    intent: "go",
    typed: { email: "nobody@example.com", password: "not this one at all" },
    wrong: "",
    sentence: /These credentials do not match our records\./,
    secret: ["password"],
    visitor: true,
  },
  register: {
    path: "/auth/register",
    intent: "go",
    typed: {
      firstName: "Ada",
      lastName: "O'Hill",
      username: "a b",
      email: "ada@example.com",
      password: "a lantern at dusk",
      passwordConfirmation: "a lantern at dusk",
      terms: "on",
    },
    wrong: "username",
    sentence: /\w/,
    secret: ["password", "passwordConfirmation"],
    visitor: true,
  },
  "forgotten password": {
    path: "/forgot-password",
    intent: "",
    typed: { email: "not-an-address" },
    wrong: "email",
    sentence: /\w/,
    visitor: true,
  },
  "new password": {
    path: "/reset-password?token=abc&email=me%40example.com",
    intent: "",
    typed: { password: "a lantern at dusk", passwordConfirmation: "another" },
    wrong: "passwordConfirmation",
    sentence: /\w/,
    secret: ["password", "passwordConfirmation"],
    visitor: true,
  },
  "post in a session": {
    path: async (user) => `/sessions/${(await makeSession(user)).id}/hut`,
    intent: "post",
    typed: { title: "x".repeat(201), content: TEXT },
    wrong: "title",
    sentence: /\w/,
  },
  "post in a hut": {
    path: async (user) => `/group/${(await makeHut(user, [user])).slug}/forum`,
    intent: "post",
    typed: { title: "x".repeat(201), content: TEXT },
    wrong: "title",
    sentence: /\w/,
  },
  "line of chat": {
    path: async (user) => {
      const { id } = await makeSession(user);
      await callAs(user, "POST", `/challenge-events/${id}/start`, {});
      return `/sessions/${id}/chat`;
    },
    intent: "",
    typed: { content: "x".repeat(5001) },
    wrong: "content",
    sentence: /\w/,
  },
  "join code": {
    path: async () => `/sessions/${(await makeSession(await makeUser(), { join_code: "two stones" })).id}`,
    intent: "join",
    typed: { joinCode: "one stone" },
    wrong: "joinCode",
    sentence: /code/i,
    status: 403,
  },
  "goal of a session": {
    path: async (user) => `/sessions/${(await makeSession(user)).id}/goals?create=1`,
    intent: "task.create",
    typed: { title: "", content: TEXT, action: "Write", amount: "12" },
    wrong: "title",
    sentence: /\w/,
  },
  paraphrase: {
    path: snippetOf,
    intent: "paraphrase.create",
    typed: { title: "x".repeat(201), content: TEXT },
    wrong: "title",
    sentence: /\w/,
  },
  "tokens as a gift": {
    path: "/tokens",
    intent: "add-free",
    typed: { amount: "some" },
    wrong: "amount",
    sentence: /number of tokens above 0/,
    roleId: 10,
  },
};

const formOf = (forms: readonly ReadForm[], { intent, typed }: Case): ReadForm | undefined =>
  forms.find(
    (form) =>
      (intent === "" || standsIn(form, "intent") === intent) &&
      Object.keys(typed).some((name) => standsIn(form, name) !== undefined),
  );

describe("a refused form comes again as it was typed", () => {
  test.each(Object.entries(CASES))("%s", async (_, one) => {
    const user = one.visitor ? null : await makeUser({ roleId: one.roleId ?? 1 });
    const path = typeof one.path === "string" ? one.path : await one.path(user as TestUser);
    const page = await openPage(user, path);
    expect(page.status, `${path} ${page.location}`).toBe(200);
    const form = formOf(page.forms, one);
    if (!form)
      throw new Error(
        `no such form on ${path}: ${JSON.stringify(page.forms.map((f) => f.fields.map((g) => `${g.name}=${g.value.slice(0, 20)}`)))}`,
      );
    const names = Object.keys(one.typed);
    // Every field of the table is there to be typed into.
    expect(names.filter((name) => standsIn(form, name) === undefined)).toEqual([]);

    const answer = await post(user, path, form, one.typed);
    expect(answer.status, `${answer.location}`).toBe(one.status ?? 422);
    const again = formOf(answer.forms, one);
    if (!again) throw new Error("the form did not come again");
    const stands = Object.fromEntries(names.map((name) => [name, standsIn(again, name)]));
    expect(stands).toEqual({
      ...one.typed,
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
