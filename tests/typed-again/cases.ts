// Every form of the app with a wrong field: what is typed, and the sentence at that field.
import { callAs } from "../support/ask";
import { makeUser, type TestUser } from "../support/factories";
import { openPage, post, standsIn } from "../support/forms";
import { makeActivity, makeHut, makeSession } from "../support/sessions";
import {
  activity,
  filledActivity,
  filledSession,
  goal,
  goalOf,
  hutOf,
  logOf,
  made,
  session,
  snippetOf,
  TEXT,
  type Typed,
  withGoal,
} from "./filled";

export type Case = {
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

export const CASES: Record<string, Case> = {
  "activity, new": {
    path: "/challenges/create",
    intent: "create",
    typed: activity,
    wrong: "participantLimit",
    sentence: /a number, such as/,
  },
  "activity, changed": {
    path: async (user) => `/challenges/${(await makeActivity(user, filledActivity)).slug}/update`,
    intent: "update",
    typed: activity,
    wrong: "participantLimit",
    sentence: /a number, such as/,
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
    sentence: /a number, such as/,
    roleId: 10,
  },
};
