// A run under a presumed user: what it may do before the lookup, after it, and when the presumption was wrong.
import { expect, test, vi } from "vitest";
import { instant } from "~/domain/time";
import type { App, CurrentUser } from "~/use-cases/app.server";
import type { OpenedRequest } from "./create-app";
import { answerPresuming } from "./presume";

const user: CurrentUser = {
  id: 1,
  roleId: 1,
  email: "ada@example.com",
  isConfirmed: true,
  username: "ada",
  personId: 1,
  firstName: "Ada",
  lastName: "Lovelace",
  timeZone: "UTC",
  unreadNotices: 0,
  isNew: false,
  newMessages: [],
  tokens: 500,
  owed: 0,
  subscription: null,
  suspension: null,
  loginHash: "a".repeat(64),
  checkedAt: instant(1),
};

const PORTS = {
  payments: ["createCustomer", "listMethods"],
  mail: ["send"],
  push: ["post"],
  jobs: ["wake"],
  uploads: ["put", "get", "delete", "list"],
  copies: ["putChat", "getChat", "noteDeletion"],
  attempts: ["take", "giveBack", "clear"],
} as const;
const ROOM = [
  "refresh",
  "change",
  "eraseAuthor",
  "copyChat",
  "endLogins",
  "closeSpectators",
  "view",
  "messages",
  "linesOf",
];
const READS = [
  "select 1",
  "  SELECT a FROM b",
  "with c as (select 1) select * from c",
  "room.view",
  "room.messages",
  "room.linesOf",
];

const LOOKUP = "the lookup";

/** A request whose App writes the names of its effects into `done`. */
function request(found: CurrentUser | null) {
  const done: string[] = [];
  const note = (name: string) => async () => void done.push(name);
  const port = (name: string, methods: readonly string[]) =>
    Object.fromEntries(methods.map((method) => [method, note(`${name}.${method}`)]));
  const statement = (sql: string): object => ({
    sql,
    bind: () => statement(sql),
    ...Object.fromEntries(["all", "raw", "run", "first"].map((how) => [how, note(sql)])),
  });
  let answerLookup = () => {};
  const lookup = new Promise<void>((resolve) => {
    answerLookup = resolve;
  });
  const d1 = {
    prepare: statement,
    async batch(list: { sql: string }[]) {
      done.push(...list.map(({ sql }) => sql));
      if (list.some(({ sql }) => sql === LOOKUP)) await lookup;
      return list.map(({ sql }) => ({ results: [sql] }));
    },
  };
  const app = {
    db: { d1 },
    rooms: { hasOpened: () => true, of: () => port("room", ROOM) },
    summariser: {
      summarise: note("summariser.summarise"),
      async *stream() {
        done.push("summariser.stream");
        yield "";
      },
    },
    defer: () => void done.push("defer"),
    ...Object.fromEntries(Object.entries(PORTS).map(([name, methods]) => [name, port(name, methods)])),
  };
  const opened: OpenedRequest = {
    loginHash: user.loginHash,
    findUser: () => lookup.then(() => found),
    lookup: () => ({ statement: statement(LOOKUP) as D1PreparedStatement, userOf: () => found }),
    appOf: (as) => ({ ...app, user: as, cookies: {} }) as unknown as App,
    bookmark: () => null,
  };
  return { done, opened, answerLookup };
}

/** Uses everything that an App offers, all at once. */
async function useAll(app: App): Promise<string> {
  const parts = app as unknown as Record<string, Record<string, () => Promise<void>>>;
  const room = app.rooms.of(1) as unknown as Record<string, () => Promise<void>>;
  const { d1 } = app.db;
  app.cookies.login = null;
  app.defer(Promise.resolve());
  const stream = async () => {
    for await (const _ of app.summariser.stream({ title: "", content: "" }));
  };
  await Promise.all([
    ...Object.entries(PORTS).flatMap(([name, methods]) => methods.map((method) => parts[name]?.[method]?.())),
    ...ROOM.map((method) => room[method]?.()),
    stream(),
    app.summariser.summarise({ title: "", content: "" }),
    d1.prepare("select 1").bind().all(),
    d1.batch([d1.prepare("  SELECT a FROM b")]),
    d1.prepare("with c as (select 1) select * from c").raw(),
    d1.prepare("with c as (select 1) delete from d").run(),
    d1.prepare("update d set e = 1").bind(2).run(),
    d1.prepare("insert into d values (1)").first(),
    d1.batch([d1.prepare("select 2"), d1.prepare("delete from d").bind(1)]),
  ]);
  return `for ${app.user?.username ?? "a visitor"}`;
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("D2 a presumed run only reads until its user is known, and then does everything once", async () => {
  const { done, opened, answerLookup } = request({ ...user });
  const answered = answerPresuming(opened, user, useAll, () => {});
  await settled();
  expect(done.toSorted()).toEqual(READS.toSorted());
  answerLookup();
  expect(await answered).toMatchObject({
    answer: "for ada",
    wasPresumed: true,
    app: { cookies: { login: null } },
  });
  await settled();
  const known = request({ ...user });
  known.answerLookup();
  await answerPresuming(known.opened, null, useAll, () => {});
  expect(done.toSorted()).toEqual(known.done.toSorted());
  expect(new Set(done).size).toBe(done.length);
});

test("D2 a run under a wrong presumption does nothing at all, and its answer is discarded", async () => {
  const found: Record<string, CurrentUser | null> = {
    "an ended login": null,
    "another role": { ...user, roleId: 2 },
    "a suspension": { ...user, suspension: { until: null, reason: "spam" } },
    "a newer check": { ...user, checkedAt: instant(2) },
    "fewer tokens": { ...user, tokens: 400 },
    "another login": { ...user, loginHash: "b".repeat(64) },
  };
  for (const [name, real] of Object.entries(found)) {
    const { done, opened, answerLookup } = request(real);
    const runs: string[] = [];
    const discarded: string[] = [];
    const answered = answerPresuming(
      opened,
      user,
      async (app) => {
        runs.push(app.user?.username ?? "a visitor");
        if (runs.length > 1) return "the answer";
        await Promise.race([useAll(app), settled()]);
        return "a secret";
      },
      (unseen) => discarded.push(unseen),
    );
    await settled();
    await settled();
    answerLookup();
    const { answer, app, wasPresumed } = await answered;
    expect([answer, app.user, wasPresumed, app.cookies], name).toEqual(["the answer", real, false, {}]);
    await settled();
    expect(runs, name).toEqual(["ada", real ? "ada" : "a visitor"]);
    expect(done.toSorted(), name).toEqual(READS.toSorted());
    expect(discarded, name).toEqual(["a secret"]);
  }
});

test("D2 a dropped run gets no more rows, and a lookup that fails fails the request", async () => {
  const { done, opened, answerLookup } = request(null);
  let reads = 0;
  const answered = answerPresuming(
    opened,
    user,
    async (app) => {
      if (!app.user) return "for a visitor";
      for (;;) {
        await app.db.d1.prepare("select 1").all();
        reads++;
        await settled();
      }
    },
    () => {},
  );
  await settled();
  answerLookup();
  expect((await answered).answer).toBe("for a visitor");
  await settled();
  const before = reads;
  await settled();
  await settled();
  expect([reads, done.length - reads]).toEqual([before, 1]);

  const failing = { ...opened, findUser: () => Promise.reject(new Error("no database")) };
  await expect(answerPresuming(failing, user, useAll, () => {})).rejects.toThrow("no database");
});

test("D2 without a hint the lookup comes first", async () => {
  const { done, opened, answerLookup } = request(user);
  const answered = answerPresuming(opened, null, useAll, () => {});
  await settled();
  expect(done).toEqual([]);
  answerLookup();
  expect((await answered).wasPresumed).toBe(false);
});

/** Reads two batches, the second after the first. */
async function readTwice({ db: { d1 } }: App): Promise<unknown[]> {
  const first = await d1.batch([d1.prepare("select 1"), d1.prepare("select 2")]);
  return [first, await d1.batch([d1.prepare("select 3")])];
}
const ROWS = [[{ results: ["select 1"] }, { results: ["select 2"] }], [{ results: ["select 3"] }]];

test("D2 the first batch of a presumed run takes the lookup along, and gets its own rows", async () => {
  const { done, opened, answerLookup } = request({ ...user });
  const findUser = vi.spyOn(opened, "findUser");
  const answered = answerPresuming(opened, user, readTwice, () => {});
  await settled();
  expect(done).toEqual([LOOKUP, "select 1", "select 2"]);
  answerLookup();
  expect(await answered).toMatchObject({ answer: ROWS, wasPresumed: true });
  expect(done).toEqual([LOOKUP, "select 1", "select 2", "select 3"]);
  expect(findUser).not.toHaveBeenCalled();
});

test("D2 a run whose batch names another user is discarded without its rows", async () => {
  const { opened, answerLookup } = request({ ...user, roleId: 2 });
  const read: unknown[] = [];
  const answered = answerPresuming(
    opened,
    user,
    async (app) => {
      const rows = await readTwice(app);
      read.push(app.user?.roleId);
      return rows;
    },
    () => {},
  );
  answerLookup();
  expect(await answered).toMatchObject({ answer: ROWS, wasPresumed: false, user: { roleId: 2 } });
  await settled();
  expect(read).toEqual([2]);
});

test("D2 the lookup happens alone after a failed batch, and for a run that reads nothing", async () => {
  const failed = request({ ...user });
  failed.answerLookup();
  const appOf = (as: CurrentUser | null) => {
    const app = failed.opened.appOf(as);
    const batch = () => Promise.reject(new Error("no rows"));
    return { ...app, db: { d1: { ...app.db.d1, batch } } } as unknown as App;
  };
  const opened = { ...failed.opened, appOf };
  const findUser = vi.spyOn(opened, "findUser");
  await expect(answerPresuming(opened, user, readTwice, () => {})).rejects.toThrow("no rows");
  expect(findUser).toHaveBeenCalledOnce();

  const idle = request({ ...user });
  idle.answerLookup();
  const text = await answerPresuming(
    idle.opened,
    user,
    async () => "a text",
    () => {},
  );
  expect(text).toMatchObject({ answer: "a text", wasPresumed: true });
  expect(idle.done).toEqual([]);
});
