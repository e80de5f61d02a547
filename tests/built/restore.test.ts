// The demo data are backed up, wiped and restored by the commands, as processes.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { readD1Migrations } from "@cloudflare/vitest-plugin";
import { afterAll, expect, test } from "vitest";
import { readArchive } from "../../workers/local/archive.mjs";
import { recordMigrations } from "../../workers/local/builds.mjs";
import { fillDatabase, readDatabase, refuseUnlessEmpty } from "../../workers/local/database.mjs";
import { ROOT, run } from "../../workers/local/processes.mjs";
import { withStores } from "../../workers/local/stores.mjs";
import { seed, serve } from "../../workers/local/tools.mjs";
import { callerOf } from "../load/caller.mjs";

const folder = mkdtempSync(join(tmpdir(), "bothy-restore-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const [first, second, archives] = ["first", "second", "archives"].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];

const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer();
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });

type Caller = ReturnType<typeof callerOf>;
type Line = { seq: number; content: string; username: string };
const PASSWORD = "a long walk to the hut";

async function personOf(url: string, path: string, body: object): Promise<Caller> {
  const person = callerOf(url);
  await person.call("GET", "/sanctum/csrf-cookie");
  await person.call("POST", path, body);
  return person;
}
const accountOf = (username: string) => ({
  name: username,
  email: `${username}@example.com`,
  username,
  password: PASSWORD,
  password_confirmation: PASSWORD,
});
/** Everything of the account; the instant of the export is that of the request. */
async function exportOf(url: string, { cookie }: Caller): Promise<string> {
  const answer = await fetch(`${url}/account/export/everything.json`, { headers: { Cookie: cookie() } });
  expect(answer.status).toBe(200);
  return (await answer.text()).replace(/"exported_at":"[^"]+"/, '"exported_at":""');
}
/** A personal key, as its page shows it once. */
async function keyOf(url: string, { cookie }: Caller): Promise<string> {
  const answer = await fetch(`${url}/account/api`, {
    method: "POST",
    headers: { Cookie: cookie(), Origin: url },
    body: new URLSearchParams({ intent: "key.create", name: "A script", scopes: "read", days: "30" }),
  });
  return /bth_[\w-]{49}/.exec(await answer.text())?.[0] ?? "";
}
const withKey = async (url: string, key: string): Promise<number> =>
  (await fetch(`${url}/get-user`, { headers: { Authorization: `Bearer ${key}` } })).status;
const chatOf = async ({ call }: Caller, session: number): Promise<Line[]> =>
  (await call("GET", `/api/sessions/${session}/chat`)).serverData.messages;

/** Sits in as a guest by the form, as a browser without JavaScript does. */
async function guestOf(url: string, session: number, name: string): Promise<Caller> {
  const guest = callerOf(url);
  await guest.call("GET", "/sanctum/csrf-cookie");
  const answer = await fetch(`${url}/sessions/${session}`, {
    method: "POST",
    redirect: "manual",
    headers: { Origin: url, Accept: "text/html" },
    body: new URLSearchParams({ intent: "sit-in", name }),
  });
  expect(answer.status).toBe(302);
  guest.keep(answer);
  return guest;
}
const GUEST = "Wilhelmina";
const textIn = (file: string): string => gunzipSync(readFileSync(file)).toString();
/** A day after the session the job of every five minutes erases its guests (H-21); the row has the instant. */
async function passGuestsDay(url: string, dataDir: string): Promise<void> {
  await readD1(dataDir, "UPDATE users SET ends_at = 1 WHERE guest_of > 0");
  const ran = await fetch(`${url}/cdn-cgi/handler/scheduled?cron=*/5+*+*+*+*`);
  expect(ran.ok).toBe(true);
}

test("Q-43 Q-44 O-09 H-21 after backup, wipe and restore every demo user's export, the ledger and every chat line are equal, a deleted account stays deleted, a guest's name is in no archive made a day after the session, and personal keys end", async () => {
  const port = await freePort();
  const env = (dataDir: string) => ({ DATA_DIR: dataDir, PORT: String(port) });
  const backUp = (dataDir: string) =>
    run("node", ["workers/local/backup.mjs", "--to", archives], { quiet: true, env: env(dataDir) });
  const restore = (file: string, dataDir: string) =>
    run("node", ["workers/local/restore.mjs", file], { quiet: true, env: env(dataDir) });
  const fileIn = (said: string) => /\S+\.ndjson\.gz/.exec(said)?.[0] ?? "";
  await makeEmpty(first);
  cpSync(first, second, { recursive: true });
  let server = await serve({ port, dataDir: first, quiet: true });
  const { url } = server;
  try {
    const { accounts } = (await seed(url)) as { accounts: { email: string; password: string }[] };
    expect(accounts.length).toBeGreaterThan(2);
    const people: Caller[] = [];
    for (const { email, password } of accounts)
      people.push(await personOf(url, "/login", { email, password }));
    const [host] = people as [Caller];
    const username = "leaver";
    const leaver = await personOf(url, "/register", accountOf(username));
    const [{ id: leaverId } = { id: 0 }] = (await readD1(
      first,
      `SELECT id FROM users WHERE username = '${username}'`,
    )) as { id: number }[];

    // Lines said, edited and removed, in a session that runs.
    const sessions = (await readD1(first, "SELECT id, title FROM sessions ORDER BY id")) as {
      id: number;
      title: string;
    }[];
    const session = sessions.find(({ title }) => title.startsWith("Open all day"))?.id ?? 0;
    await leaver.call("POST", `/challenge-events/${session}/join`, {});
    const say = async (by: Caller, content: string): Promise<number> =>
      (
        await by.call("POST", "/messages", {
          content,
          messageable_type: "challenge_event",
          messageable_id: session,
        })
      ).message.seq;
    await say(leaver, "Quillfeather");
    const [edited, removed] = [await say(host, "Typo"), await say(leaver, "Out of place")];
    await host.call("PATCH", `/api/sessions/${session}/messages/${edited}`, { content: "No typo" });
    await host.call("DELETE", `/api/sessions/${session}/messages/${removed}`);
    await readD1(first, `UPDATE sessions SET guest_limit = 3 WHERE id = ${session}`);
    const guest = await guestOf(url, session, GUEST);
    await say(guest, `A line of ${GUEST}`);
    await guest.call("POST", `/challenge-events/${session}/aim`, { aim: `An answer of ${GUEST}` });
    await guest.call("POST", `/challenge-events/${session}/logs`, { title: `A log of ${GUEST}`, amount: 1 });

    const programmer = await personOf(url, "/register", accountOf("programmer"));
    await readD1(first, "UPDATE users SET email_confirmed_at = 1 WHERE username = 'programmer'");
    const key = await keyOf(url, programmer);
    expect(await withKey(url, key)).toBe(200);
    const readAll = async () => ({
      exports: await Promise.all(people.map((person) => exportOf(url, person))),
      chats: await Promise.all(sessions.map(({ id }) => chatOf(host, id))),
    });
    const before = await readAll();
    expect(before.chats.flat().map(({ content }) => content)).toEqual(
      expect.arrayContaining(["No typo", "Quillfeather", "", "Two rounds for me."]),
    );

    // While the server runs.
    const said = await backUp(first);
    const file = fileIn(said);
    expect(said).toMatch(/ \d+ rows, the chat of 1 rooms\./);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const archive = await readArchive(file);
    expect(textIn(file).split(GUEST).length).toBeGreaterThan(5);

    // The account is deleted after the backup, and a later backup lists it.
    await readD1(first, `UPDATE users SET deletion_due_at = 1 WHERE username = '${username}'`);
    const night = await fetch(`${url}/cdn-cgi/handler/scheduled?cron=17+3+*+*+*`);
    expect(night.ok).toBe(true);
    await passGuestsDay(url, first);
    await server.stop();
    // While it is stopped.
    const later = fileIn(await backUp(first));
    expect(later).not.toBe(file);
    expect(readFileSync(join(archives, "deleted-accounts.txt"), "utf8")).toMatch(
      new RegExp(`^${leaverId}-\\d+$`, "m"),
    );
    expect(JSON.stringify((await readArchive(later)).chats)).not.toContain("Quillfeather");
    expect(textIn(later)).not.toContain(GUEST);

    const shape = await withStores(
      { isRemote: false, dataDir: first },
      async ({ db }: { db: D1Database }) => {
        await expect(refuseUnlessEmpty(db, archive.database)).rejects.toThrow(
          /This installation is not empty: it has 7 accounts and \d+ sessions\./,
        );
        // A large database is read in pages, and only while nobody writes.
        expect(await readDatabase(db, 0)).toEqual(await readDatabase(db));
        await expect(readDatabase(busy(db), 0)).rejects.toThrow("The database changed while it was read.");
        return shapeOf(db);
      },
    );

    rmSync(first, { recursive: true });
    // A restore that was interrupted leaves rows without triggers; the next begins again.
    await withStores({ isRemote: false, dataDir: second }, ({ db }: { db: D1Database }) =>
      fillDatabase(db, archive.database),
    );
    expect(await restore(file, second)).toMatch(
      /ledger sums and the chat of 1 rooms are as in the archive\.\s+1 accounts that were deleted since are deleted again\./,
    );
    expect(existsSync(first)).toBe(false);

    await withStores({ isRemote: false, dataDir: second }, async ({ db }: { db: D1Database }) => {
      expect(await shapeOf(db)).toEqual(shape);
      await expect(db.prepare("UPDATE audit SET reason = 'another'").run()).rejects.toThrow(/audit/);
    });
    server = await serve({ port, dataDir: second, quiet: true });
    const after = await readAll();
    // The deleted account has left its seat.
    const seats = new RegExp(`(?<=\\{"id":${session},[^\\n]*"participants_count":)\\d+`);
    const withoutLeaver = before.exports.map((text) =>
      text.replace(seats, (count) => `${Number(count) - 1}`),
    );
    expect(withoutLeaver).not.toEqual(before.exports);
    expect(after.exports).toEqual(withoutLeaver);
    expect(await withKey(url, key)).toBe(401);
    // The room has all lines; those of the deleted account without text, under no name.
    const erased = before.chats.map((lines) =>
      lines.map((line) =>
        line.username === username
          ? { ...line, content: "", username: `deleted.${leaverId}`, is_removed: 1, edited_at: null }
          : line,
      ),
    );
    expect(after.chats).toEqual(erased);
    await expect(
      personOf(url, "/login", { email: "leaver@example.com", password: PASSWORD }),
    ).rejects.toThrow(/POST \/login: 4\d\d/);
    const next = await say(host, "We are back");
    expect(next).toBeGreaterThan(Math.max(...before.chats.flat().map(({ seq }) => seq)));
    // The archive was made before the guest was erased, and the restored installation erases them again.
    await passGuestsDay(url, second);
    expect(textIn(fileIn(await backUp(second)))).not.toContain(GUEST);
  } finally {
    await server.stop();
  }
}, 300_000);

/** An empty installation. Wrangler takes twenty seconds of processor time for it; the commands find its work done. */
const makeEmpty = async (dataDir: string) => {
  recordMigrations(dataDir);
  const migrations = await readD1Migrations(join(ROOT, "db/migrations"));
  await withStores({ isRemote: false, dataDir }, async ({ db }: { db: D1Database }) => {
    await db
      .prepare(
        "CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)",
      )
      .run();
    for (const { name, queries } of migrations)
      await db.batch([
        ...queries.map((query) => db.prepare(query)),
        db.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name),
      ]);
  });
};

/** Tables, indexes and triggers, and what a search finds. */
const shapeOf = async (db: D1Database) => {
  const shape = "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE '_cf%' ORDER BY type, name";
  const words = "SELECT rowid FROM session_words WHERE session_words MATCH 'quiet' ORDER BY 1";
  const [schema, found] = await db.batch([db.prepare(shape), db.prepare(words)]);
  expect(found?.results).not.toEqual([]);
  return [schema?.results, found?.results];
};

const readD1 = (dataDir: string, sql: string): Promise<unknown[]> =>
  withStores(
    { isRemote: false, dataDir },
    async ({ db }: { db: D1Database }) => (await db.prepare(sql).all()).results,
  );

/** A database in which somebody writes during each read. */
const busy = (db: D1Database) => ({
  prepare: (sql: string) => db.prepare(sql),
  batch: async (statements: D1PreparedStatement[]) => {
    const results = await db.batch(statements);
    await db.prepare("UPDATE cron_marks SET mark = mark || 'x'").run();
    return results;
  },
});

test("Q-44 a file that is cut off or no archive is refused", async () => {
  const file = join(folder, "no-archive.gz");
  const { gzipSync } = await import("node:zlib");
  const { writeFileSync } = await import("node:fs");
  const head = JSON.stringify({ format: 1, tables: [{ name: "users", columns: ["id"], rows: 2 }], chats: 0 });
  for (const bytes of [
    Buffer.from("no gzip"),
    gzipSync("no json"),
    gzipSync(`${head}\n{"table":"users","values":[1]}\n`),
    gzipSync(`${head}\n{"table":"users","values":[1]}\n{"end":true}\n`),
  ]) {
    writeFileSync(file, bytes);
    await expect(readArchive(file)).rejects.toThrow("is no whole archive of `npm run backup`.");
  }
  await expect(readArchive(join(folder, "missing.gz"))).rejects.toThrow("There is no file");
});
