// No form loses typed text. Every form of the app, refused for one field without JavaScript, comes back with
// everything typed and the sentence at its field.
import { describe, expect, test } from "vitest";
import { importBook } from "~/use-cases/items/books.server";
import { callAs } from "./support/ask";
import { appOf, makeUser, type TestUser } from "./support/factories";
import { openPage, post, type ReadField, type ReadForm, standsIn } from "./support/forms";
import { makeActivity, makeHut, makeSession } from "./support/sessions";

type Typed = Record<string, string>;
type Case = {
  /** The page of the form. */
  path: string | ((user: TestUser) => Promise<string>);
  intent: string;
  /** A hidden field that distinguishes the form from others with the same intent. */
  has?: string;
  typed: Typed;
  /** The wrong field ("" for the whole form), and its error. */
  wrong: string;
  sentence: RegExp;
  status?: number;
  /** Fields that are never sent back. */
  secret?: readonly string[];
  visitor?: boolean;
  roleId?: number;
};
const TEXT = `Said <b>boldly</b> & "so"\nand on a second line`;
const filledGoal = {
  title: "Read a book",
  content: "Slowly.",
  link: "https://example.com/book",
  action: "Read",
  amount: 10,
  unit: "pages",
  action_duration: 600,
  distance: 2,
  completions_required: 4,
  items: [{ title: "Open it", link: "https://example.com/open" }, { title: "Close it" }],
  quick_log_buttons: [{ title: "A page", amount: 1, duration: 60, distance: 1, completions_required: 2 }],
  recurrence: { every: "weekdays", weekdays: [1, 3] },
  remind_at: "07:30",
  tags: ["calm"],
  timers: [
    { title: "Read", duration: 600, sets: 2 },
    { title: "Rounds", sets: 3, is_interval: 1, timers: [{ title: "Work", duration: 60 }] },
  ],
};
const made = async (asked: ReturnType<typeof callAs>) => {
  const { status, body } = await asked;
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body;
};
const goalOf = async (user: TestUser): Promise<number> =>
  (await made(callAs(user, "POST", "/api/goals/store", filledGoal))).goal.id;
const logOf = async (user: TestUser) => {
  const goal = await goalOf(user);
  const filled = { goal_id: goal, title: "A page", content: "Slowly.", amount: 2, duration: 60, distance: 1 };
  const { log } = await made(callAs(user, "POST", "/api/logs/store-quick-log", filled));
  return { goal, log: log.id as number };
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
  "rows[0].title": "Up <the> hill",
  "rows[0].duration": "20m",
  "goals[0].title": "Steps & more",
  "goals[0].amount": "3",
  "goals[0].items[0].title": "Boots",
  "goals[0].every": "week",
  "goals[0].times": "5",
  "goals[0].tags": "calm, late",
};
const filledActivity = {
  content: "Slowly.",
  contentHtml: "<p>Slowly.</p>",
  participantLimit: 9,
  isTemplate: true,
};
const filledSession = {
  content: "Slowly.",
  prompt: "Where?",
  participant_limit: 9,
  join_code: "two stones",
  donation_link: "https://example.com/give",
  is_free: 1,
  needs_host: 1,
};
const hutOf = async (user: TestUser) => {
  const hut = { title: "Hut", content: "Slowly." };
  return (await made(callAs(user, "POST", "/groups/store", { hut }))).hut;
};
const session = {
  title: "Tonight's walk",
  content: TEXT,
  prompt: "What did you see?",
  difficulty: "3",
  duration: "1h 10m",
  participantLimit: "many",
};
const goal = {
  title: "Read <more>",
  content: TEXT,
  action: "Read",
  amount: "-5",
  unit: "pages & more",
  actionDuration: "20m",
  distance: "3",
  completionsRequired: "2",
  "items[0].title": "First <this>",
  "items[1].link": "https://example.com/next",
  "quickLogButtons[0].title": "One & a half",
  "quickLogButtons[0].duration": "5m",
  every: "week",
  times: "5",
  tags: "calm, late",
  link: "https://example.com/more",
  "timers[0].title": "Round",
  "timers[0].sets": "3",
  "timers[0].timers[0].title": "Work",
  "timers[0].timers[0].duration": "2m",
};

/** A session with a goal, filled in. */
const withGoal = async (user: TestUser) => {
  const { id, slug } = await makeSession(user, { content: "Slowly.", prompt: "Where?" });
  const task = { type: "task", uuid: `task-${id}`, ...filledGoal };
  await made(callAs(user, "POST", `/challenges/${slug}/parts`, task));
  return { id, task: `task-${id}` };
};

const CASES: Record<string, Case> = {
  "activity, new": {
    path: "/challenges/create",
    intent: "create",
    typed: activity,
    wrong: "participantLimit",
    sentence: /number of places/,
  },
  "activity, changed": {
    path: async (user) => `/challenges/${(await makeActivity(user, filledActivity)).slug}/update`,
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
    path: async (user) => `/groups/${(await hutOf(user)).slug}/update`,
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
      needsHost: "on",
    },
    wrong: "participantLimit",
    sentence: /\w/,
  },
  "session, changed": {
    path: async (user) => `/events/${(await makeSession(user, filledSession)).id}/update`,
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
      const itemData = { title: "x", content: "x", status: 1 };
      const { item } = await made(callAs(user, "POST", "/items", { itemData }));
      return `/me?edit=${item.id}`;
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
      const filled = { title: "x", content: "x", todo: "that", done: "this" };
      const { id } = await made(callAs(user, "POST", "/api/notes", filled));
      return `/my/notes?edit=${id}`;
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
    intent: "login",
    typed: { email: "nobody@example.com", password: "not this one at all" },
    wrong: "",
    sentence: /These credentials do not match our records\./,
    secret: ["password"],
    visitor: true,
  },
  register: {
    path: "/auth/register",
    intent: "register",
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
  "answer to a post": {
    path: async (user) => {
      const { slug } = await makeHut(user, [user]);
      const path = `/group/${slug}/forum`;
      const page = await openPage(user, path);
      const form = page.forms.find((one) => standsIn(one, "intent") === "post");
      if (!form) throw new Error("no form of a post");
      await post(user, path, form, { title: "Hello", content: "A first word." });
      return path;
    },
    intent: "post",
    has: "parentId",
    typed: { content: "x".repeat(100_001) },
    wrong: "content",
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
  "goal of a session, changed": {
    path: async (user) => {
      const { id, task } = await withGoal(user);
      return `/sessions/${id}/goals?edit=${task}`;
    },
    intent: "task.update",
    typed: goal,
    wrong: "amount",
    sentence: /\w/,
  },
  "log by hand in a session": {
    path: async (user) => {
      const { id, task } = await withGoal(user);
      return `/sessions/${id}/goals?log=${task}`;
    },
    intent: "task.log",
    typed: { title: "Chapter <1>", amount: "3", duration: "soon", distance: "2" },
    wrong: "duration",
    sentence: /\w/,
  },
  "texts of a session, changed": {
    path: async (user) => `/sessions/${(await withGoal(user)).id}?edit=texts`,
    intent: "texts.save",
    typed: { title: "", content: TEXT, prompt: "What <did> you see?" },
    wrong: "title",
    sentence: /Please set the challenge title\./,
  },
  "contribution to a session": {
    path: async (user) => {
      const parts = [{ uuid: "g", parts: [{ uuid: "a", title: "A", duration: 300, edit_content: 1 }] }];
      const { id } = await makeSession(user, { parts });
      for (const path of ["start", "parts/a/start"])
        await callAs(user, "POST", `/challenge-events/${id}/${path}`, {});
      return `/sessions/${id}`;
    },
    intent: "texts.contribute",
    typed: { contribution: "x".repeat(20_001) },
    wrong: "contribution",
    sentence: /at most 20,000/,
  },
  "paraphrase, changed": {
    path: async (user) => {
      const path = await snippetOf();
      const filled = { snippet_id: Number(path.split("/").at(-1)), title: "x", content: "x" };
      const { paraphrase } = await made(callAs(user, "POST", "/api/paraphrases", filled));
      return `${path}?edit=${paraphrase.id}`;
    },
    intent: "paraphrase.update",
    typed: { title: "x".repeat(201), content: TEXT },
    wrong: "title",
    sentence: /\w/,
  },
  "deleting the account": {
    path: "/account",
    intent: "delete-account",
    typed: { currentPassword: "not this one" },
    wrong: "currentPassword",
    sentence: /\w/,
    secret: ["currentPassword"],
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
  /** Fields that must not be empty, and the meaning of an empty field. */
  const NEEDED: Record<string, { sent: Typed; stands?: Typed }> = {
    "activity, changed": { sent: { title: "A walk" }, stands: { duration: "30m" } },
    "hut, changed": { sent: { title: "A hut" } },
    "session, changed": { sent: { title: "Tonight", duration: "1h" } },
    "item, changed": { sent: { title: "A list" } },
    "goal, changed": { sent: { title: "Read", every: "" }, stands: ASKED_ONCE },
    "note, changed": { sent: { title: "A plan" } },
    "log, changed": { sent: {} },
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
