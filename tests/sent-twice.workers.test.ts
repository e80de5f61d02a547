// X-07 without JavaScript: every form that makes something, sent again and twice at once, makes it once. The forms are those
// whose use case makes another thing at each call, read from the sources and from the table of tests/again.
import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { MINUTE } from "~/domain/time";
import { markOf } from "~/use-cases/made-for.server";
import { MADE_FOR_FIELD } from "~/wire/made-for";
import { ROWS } from "./again/rows";
import type { Cast } from "./roles/cast";
import { snippet } from "./roles/own-things";
import { callAs, dataOf } from "./support/ask";
import { appOf, makeUser, type TestUser } from "./support/factories";
import { openPage, post, type ReadForm } from "./support/forms";
import { makeGoal } from "./support/goals";
import { makeSeries, seriesPath } from "./support/series";
import { balanceOf, makeHut, makeSession, runningSession, stageSession } from "./support/sessions";
import * as visited from "./support/visit";

const routes = import.meta.glob<string>(["../app/routes/**/*.{ts,tsx}", "!../app/routes/**/*.test.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});
const doors = import.meta.glob<string>("../workers/api/*.ts", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** Calls that act each time, and make nothing. */
const MAKES_NOTHING = ["login", "requestPasswordReset", "confirmPractice", "resetBySlug"];
/** Use cases of forms that make something, and whose calls have other names or take effect once by another rule. */
const MORE = [
  "createFromForm",
  "addPart",
  "startProgress",
  "createMessage",
  "createSeriesFrom",
  "createSeriesPost",
];

/** The use cases that make another thing at each call. */
function makers(): Set<string> {
  const calls = ROWS.filter(({ first, atOnce }) => first === "ok" && atOnce === "each").map(
    ({ call }) => call,
  );
  const served = new Map(
    Object.values(doors).flatMap((source) =>
      [...source.matchAll(/serve\(calls\.(\w+),\s*(?:\w+\()?(\w+)/g)].map(([, call = "", name = ""]) => [
        call,
        name,
      ]),
    ),
  );
  const names = calls.filter((call) => !MAKES_NOTHING.includes(call)).map((call) => served.get(call) ?? call);
  return new Set([...names, ...MORE]);
}

/** The forms of all pages: `file intent`, with the source of its handler. */
const handlers = Object.entries(routes).flatMap(([path, source]) => {
  const file = path.replace("../app/routes/", "").replace(/\.tsx?$/, "");
  const starts = [...source.matchAll(/^ +"?([\w.-]+)"?: on\(/gm)];
  return starts.map((start, at) => ({
    name: `${file} ${start[1]}`,
    handler: source.slice(start.index, starts[at + 1]?.index ?? source.indexOf("\n}", start.index)),
  }));
});
const making = makers();
const sources = Object.entries(
  import.meta.glob<string>("../app/forms/**/*.ts", { query: "?raw", import: "default", eager: true }),
)
  .filter(([path]) => !/\.test\.ts$|forms\/fields\.ts$/.test(path))
  .map(([, source]) => source);
const namesWith = (source: string, part: string): string[] =>
  [
    ...source.matchAll(
      new RegExp(`const (\\w+) = (?:(?!\\n\\n|\\nexport |\\nconst )[\\s\\S])*\\b${part}\\b`, "g"),
    ),
  ].map(([, name = ""]) => name);
/** The schemas of edits that compare their version with the stored one. */
const edits = sources.flatMap((source) => namesWith(source, "since"));
const formsThatEdit = handlers
  .filter(({ name, handler }) => {
    const file =
      routes[`../app/routes/${name.split(" ")[0]}.ts`] ?? routes[`../app/routes/${name.split(" ")[0]}.tsx`];
    const own = edits.flatMap((schema) => [schema, ...namesWith(file ?? "", schema)]);
    return own.some((schema) => new RegExp(`: on\\(\\s*${schema}\\b`).test(handler));
  })
  .map(({ name }) => name);
const formsThatMake = handlers
  .filter(({ handler }) => [...handler.matchAll(/\w+/g)].some(([word]) => making.has(word)))
  .map(({ name }) => name);

type Made = {
  /** The address of the page with the form. */
  page: string;
  as: TestUser;
  /** Another person who may send the same form; null where nobody else may. */
  other: TestUser | null;
  typed?: Record<string, string>;
  /** A table that grows by what the form makes, or the number of what it has made. */
  count: string | (() => Promise<number>);
  /** Distinguishes it from forms with the same intent. */
  field?: string;
};
const people = async () => [await makeUser({ tokens: 10_000 }), await makeUser({ tokens: 10_000 })] as const;
const onPage =
  (page: string, count: string, typed: Record<string, string> = {}) =>
  async (): Promise<Made> => {
    const [as, other] = await people();
    return { page, as, other, typed, count };
  };
const withGoal = async (count: string, typed: Record<string, string> = {}): Promise<Made> => {
  const [as] = await people();
  const goal = await makeGoal(as, { unit: "pages" });
  return { page: `/my/goals/${goal.id}`, as, other: null, typed, count };
};
const inSession = async (
  tab: string,
  over: object,
  made: Omit<Made, "page" | "as" | "other">,
  isForHost = false,
) => {
  const { host, guest, session, event } = await stageSession({
    tasks: [{ uuid: "t", title: "Pages" }],
    ...over,
  });
  if (tab === "/chat") await event(host, "/start");
  return { page: `/sessions/${session.id}${tab}`, as: host, other: isForHost ? null : guest, ...made };
};
const linesOf = (user: TestUser, page: string) => async () =>
  ((await dataOf(user, `/api${page}`)).messages as unknown[]).length;

const FORMS: Record<string, () => Promise<Made>> = {
  "my-action.server goal.create": onPage("/my/goals?create=1", "goals", { title: "Read" }),
  "my-action.server log.quick": () => withGoal("logs"),
  "my-action.server log.begin": () => withGoal("logs"),
  "my-action.server log.create": () => withGoal("logs", { title: "Ten pages", amount: "10" }),
  "my-action.server note.create": onPage("/my/notes?create=1", "notes", { content: "A thought" }),
  "sessions/goals-action.server task.create": () =>
    inSession("/goals", {}, { count: "goals", typed: { title: "Stretch" } }, true),
  "sessions/goals-action.server task.copy": () => inSession("/goals", {}, { count: "goals" }),
  "sessions/goals-action.server task.log": async () => {
    const made = await inSession("/goals", {}, { count: "logs", typed: { amount: "2" } });
    const find = env.DB.prepare("SELECT uuid FROM goals WHERE session_id = ?").bind(made.page.split("/")[2]);
    return { ...made, page: `${made.page}?log=${(await find.first<{ uuid: string }>())?.uuid}` };
  },
  "sessions/forum post": () => inSession("/hut", {}, { count: "posts", typed: { content: "Hello" } }),
  "sessions/chat say": async () => {
    const made = await inSession("/chat", {}, { count: "", typed: { content: "Hello" } });
    return { ...made, count: linesOf(made.as, made.page) };
  },
  "sessions/people notify": () =>
    inSession("/people", {}, { count: "events", typed: { content: "We begin soon." } }, true),
  "sessions/action.server repeat": () => inSession("", {}, { count: "sessions" }, true),
  "sessions/create create": onPage("/challenges/events/create", "sessions", {
    title: "Tea",
    startMode: "manual",
    duration: "1h",
  }),
  "activities/form create": onPage("/challenges/create", "activities", { title: "Rounds" }),
  "huts/form create": onPage("/groups/create", "huts", { title: "Lantern" }),
  "huts/forum post": async () => {
    const [as, other] = await people();
    const { slug } = await makeHut(as, [other]);
    return { page: `/group/${slug}/forum`, as, other, count: "posts", typed: { content: "Hello" } };
  },
  "items/action.server item.create": async () => {
    const [as, other] = await people();
    return { page: "/me?create=1", as, other, count: "items", typed: { title: "A page" } };
  },
  "items/snippet paraphrase.create": async () => {
    const [as, other] = await people();
    const passage = await snippet(as, undefined as unknown as Cast, as);
    const page = `/books/${passage.book ?? passage.slug}/snippets/${passage.snippet}`;
    return { page, as, other, count: "paraphrases", typed: { content: "A still night." } };
  },
  "series/my-series-list create": async () => {
    const [as] = await people();
    const start = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 13);
    const { id } = await makeSession(as, { is_manually_started: 0, started_at: `${start}:00:00Z` });
    return { page: `/my/series?session=${id}`, as, other: null, count: "series" };
  },
  "series/series post": async () => {
    const [as] = await people();
    const page = await seriesPath(await makeSeries(as));
    return { page, as, other: null, count: "posts", typed: { content: "Hi" } };
  },
  "payments/tokens add-free": async () => ({
    page: "/tokens",
    as: await makeUser({ roleId: 10 }),
    other: null,
    count: "pool_entries",
    typed: { amount: "5" },
  }),
  "sessions/action.server texts.contribute": async () => {
    const { id, host, ben } = await runningSession({
      parts: [{ uuid: "g", parts: [{ uuid: "p", title: "Write", duration: 600, edit_content: 1 }] }],
    });
    const count = async () => {
      const said = JSON.stringify(await dataOf(host, `/api/sessions/${id}`));
      const [, contributions = ""] = /"contributions":\[(.*?)\]/.exec(said) ?? [];
      return contributions.split('"And so on."').length - 1;
    };
    return { page: `/sessions/${id}`, as: host, other: ben, count, typed: { contribution: "And so on." } };
  },
};

/** The edits that a newer save refuses, each with a change. */
const EDITS: Record<string, () => Promise<Pick<Made, "page" | "as"> & { typed: Record<string, string> }>> = {
  "my-action.server goal.update": async () => {
    const as = await makeUser();
    const { id } = await makeGoal(as, { title: "Read" });
    return { page: `/my/goals/${id}?edit=${id}`, as, typed: { title: "Read more" } };
  },
  "my-action.server note.update": async () => {
    const as = await makeUser();
    const { body: note } = await callAs(as, "POST", "/api/notes", { title: "Colours" });
    return { page: `/my/notes?edit=${note.id}`, as, typed: { todo: "Buy green" } };
  },
  "sessions/goals-action.server task.update": async () => {
    const { page, as } = await inSession("/goals", {}, { count: "goals" });
    const find = env.DB.prepare("SELECT uuid FROM goals WHERE session_id = ?").bind(page.split("/")[2]);
    const uuid = (await find.first<{ uuid: string }>())?.uuid;
    return { page: `${page}?edit=${uuid}`, as, typed: { title: "More pages" } };
  },
  "sessions/update update": async () => {
    const as = await makeUser();
    const { id } = await makeSession(as, { title: "Evening" });
    return { page: `/events/${id}/update`, as, typed: { title: "Late evening" } };
  },
};

async function countOf({ count }: Made): Promise<number> {
  if (typeof count !== "string") return count();
  const row = await env.DB.prepare(`SELECT count(*) AS n FROM "${count}"`).first<{ n: number }>();
  return row?.n ?? 0;
}
const valueIn = (form: ReadForm, name: string) => form.fields.find((field) => field.name === name)?.value;

async function formOf(user: TestUser, page: string, intent: string): Promise<ReadForm> {
  const { status, forms } = await openPage(user, page);
  expect(status, page).toBe(200);
  const form = forms.find((form) => valueIn(form, "intent") === intent);
  if (!form)
    throw new Error(`${page} has no form "${intent}": ${forms.map((one) => valueIn(one, "intent"))}`);
  return form;
}

test("X-07 every form whose use case makes another thing each time has its line here, and no other has", () => {
  expect(handlers.length).toBeGreaterThan(120);
  expect(formsThatMake.sort()).toEqual(Object.keys(FORMS).sort());
});

describe.each(Object.entries(FORMS))("X-07 without JavaScript the form %s", (name, prepare) => {
  const intent = name.split(" ")[1] ?? "";

  test("carries a uuid, and makes one thing however often it is sent", async () => {
    const made = await prepare();
    const form = await formOf(made.as, made.page, intent);
    expect(valueIn(form, "uuid") || valueIn(form, MADE_FOR_FIELD)?.split(".")[2]).toMatch(/^[0-9a-f-]{36}$/);
    const send = () => post(made.as, made.page, form, made.typed ?? {});
    const begun = await countOf(made);
    const first = await send();
    const [after, balance] = [await countOf(made), await balanceOf(made.as)];
    expect([first.status < 400, after - begun], JSON.stringify([...first.texts.values()])).toEqual([true, 1]);
    const answers = [await send(), ...(await Promise.all([send(), send()]))];
    expect(await countOf(made)).toBe(after);
    expect(await balanceOf(made.as)).toBe(balance);
    expect(answers.map(({ status, location }) => [status, location])).toEqual(
      answers.map(() => [first.status, first.location]),
    );
  });

  test("is another person's own, also with the same uuid", async () => {
    const made = await prepare();
    const { other } = made;
    if (!other) return;
    const form = await formOf(made.as, made.page, intent);
    await post(made.as, made.page, form, made.typed ?? {});
    const before = await countOf(made);
    const [, , uuid] = valueIn(form, MADE_FOR_FIELD)?.split(".") ?? [];
    const ownMark = markOf((await appOf(other)).user);
    const fields = form.fields
      .filter(({ name }) => name !== "uuid")
      .map((field) => (field.name === MADE_FOR_FIELD ? { ...field, value: `${ownMark}.${uuid}` } : field));
    await post(other, made.page, { ...form, fields }, made.typed ?? {});
    expect((await countOf(made)) - before).toBe(1);
  });
});

test("R-69 every form with the version of an edit has its line here, and no other has", () => {
  expect(formsThatEdit.sort()).toEqual(Object.keys(EDITS).sort());
});

test.each(Object.entries(EDITS))(
  "R-69 X-07 without JavaScript the edit %s, sent again and twice at once, is accepted each time",
  async (name, prepare) => {
    const { page, as, typed } = await prepare();
    const form = await formOf(as, page, name.split(" ")[1] ?? "");
    expect(valueIn(form, "since")).toMatch(/^\d+$/);
    const send = () => {
      vi.setSystemTime(Date.now() + MINUTE);
      return post(as, page, form, typed);
    };
    const answers = [await send(), await send(), ...(await Promise.all([send(), send()]))];
    expect(answers.map(({ status, texts }) => [status, [...texts.values()].join()])).toEqual(
      answers.map(() => [302, ""]),
    );
  },
);

test("C-21 Q-38 X-07 a gift that waited for the check leaves no uuid, so that another gift from its form counts", async () => {
  const admin = await makeUser({ roleId: 10 });
  const checked = (at: number) =>
    env.DB.prepare("UPDATE logins SET checked_at = ? WHERE user_id = ?").bind(at, admin.id).run();
  const entries = async () =>
    (
      await env.DB.prepare("SELECT amount FROM pool_entries WHERE reason = 'add_free' ORDER BY id").all()
    ).results.map(({ amount }) => amount);
  const begun = (await entries()).length;
  const form = await formOf(admin, "/tokens", "add-free");
  await checked(1);
  const fields = Object.fromEntries(form.fields.map(({ name, value }) => [name, value]));
  const sent = await visited.post(admin, "/tokens", { ...fields, amount: "5" });
  expect(sent.location).toContain("/account/confirm");
  await checked(4e12);
  const [kept = ""] = sent.headers.getSetCookie().filter((cookie) => cookie.startsWith("returned="));
  const back = { ...admin, loginToken: `${admin.loginToken}; ${kept.split(";")[0]}` };
  const [one, two] = [await formOf(back, "/tokens", "add-free"), await formOf(back, "/tokens", "add-free")];
  expect(valueIn(one, "amount")).toBe("5");
  await post(back, "/tokens", one, {});
  await post(back, "/tokens", two, { amount: "50" });
  expect((await entries()).slice(begun)).toEqual([500, 5000]);
});

test("X-07 another text from the same page is another thing", async () => {
  const made = await (FORMS["sessions/forum post"] as () => Promise<Made>)();
  const form = await formOf(made.as, made.page, "post");
  const before = await countOf(made);
  for (const content of ["One", "Two", "One"]) await post(made.as, made.page, form, { content });
  expect((await countOf(made)) - before).toBe(2);
});

test("C-85 X-07 a message that is sent again after more lines than a page shows gets its first answer", async () => {
  const { id, host, ben } = await runningSession();
  const say = (user: TestUser, content: string, nonce: string) =>
    callAs(user, "POST", "/messages", {
      messageable_type: "challenge_event",
      messageable_id: id,
      content,
      nonce,
    });
  const first = await say(host, "Hello", "n1");
  // The same nonce of another person is another line.
  expect((await say(ben, "Hi", "n1")).body).not.toEqual(first.body);
  for (let n = 0; n < 55; n++) await say(n % 2 ? host : ben, `Line ${n}`, `line ${n}`);
  const balance = await balanceOf(host);
  const again = await say(host, "Hello", "n1");
  expect([again.status, again.body]).toEqual([first.status, first.body]);
  expect(await balanceOf(host)).toBe(balance);
});
