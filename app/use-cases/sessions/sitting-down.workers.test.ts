// Sitting down as a guest more than once: two presses of a browser, other browsers, and the cookies of others (H-18 to
// H-20).
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { ask, callAs, ORIGIN } from "#tests/support/ask";
import { db, type TestUser, testApp } from "#tests/support/factories";
import { openHouse, seated } from "#tests/support/guests";
import { useRoomClock } from "#tests/support/rooms";
import { balanceOf, sayIn, seatsOf, sessionNow, setSession } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { GUEST_CALLS } from "~/domain/guest-rights";
import { DAY, instant, MINUTE } from "~/domain/time";
import { register } from "~/use-cases/accounts/accounts.server";
import { eraseGuests } from "~/use-cases/erase-guests.server";
import { newToken } from "~/use-cases/tokens.server";

useRoomClock();

const now = () => instant(Date.now());
const event = (id: number, path: string) => `/challenge-events/${id}/${path}`;
const namesIn = async (id: number) =>
  (await seatsOf(id))
    .map(({ guestName }) => guestName)
    .filter(Boolean)
    .sort();

/** A visitor's browser, which forgets the login of each answer. */
function newBrowser(network = "192.0.2.7", xsrf: string | null = newToken()) {
  const send = async (path: string, form: Record<string, string>, cookies: string[] = []) => {
    const answer = await ask(path, {
      method: "POST",
      redirect: "manual",
      headers: {
        Cookie: [...(xsrf === null ? [] : [`XSRF-TOKEN=${xsrf}`]), ...cookies].join("; "),
        Origin: ORIGIN,
        Accept: "text/html",
        "CF-Connecting-IP": network,
      },
      body: new URLSearchParams(form),
    });
    const line = answer.headers.getSetCookie().find((one) => one.startsWith("login=")) ?? "";
    const loginToken = /^login=([\w-]{20,})/.exec(line)?.[1] ?? "";
    const { user } = await testApp({ ...(loginToken && { loginToken }), now: now() });
    return { status: answer.status, loginToken, id: user?.id ?? null };
  };
  return {
    xsrf,
    send,
    press: (path: string, name = "Ada") => send(path, { intent: "sit-in", name }),
  };
}

test("H-18 H-20 two presses of a browser at once are one guest, whom each answer signs in, and one token", async () => {
  for (const _round of [1, 2, 3]) {
    const { host, id, path } = await openHouse();
    const paid = await balanceOf(host);
    const browser = newBrowser();
    const both = await Promise.all([browser.press(path), browser.press(path), browser.press(path, "Bo")]);
    const guest = both[0].id;
    expect(both.map((one) => [one.status, one.id])).toEqual(both.map(() => [302, guest]));
    expect(guest).not.toBeNull();
    expect((await namesIn(id)).length).toBe(1);
    expect([(await sessionNow(id))?.participantsCount, paid - (await balanceOf(host))]).toEqual([3, 100]);
    const rows = await db.select().from(schema.users).where(eq(schema.users.guestOf, id));
    expect(rows.map((row) => row.id)).toEqual([guest]);
  }
});

test("H-18 a press after a lost answer is the same guest under the first name, though their seat was the last one", async () => {
  const { host, id, path } = await openHouse();
  await setSession(id, { guestLimit: 1 });
  const paid = await balanceOf(host);
  const browser = newBrowser();
  const first = await browser.press(path);
  const again = await browser.press(path, "Bo");
  expect([again.status, again.id, again.loginToken === first.loginToken]).toEqual([302, first.id, false]);
  expect([await namesIn(id), paid - (await balanceOf(host))]).toEqual([["Ada"], 100]);
  expect(await newBrowser().press(path, "Cleo")).toMatchObject({ status: 409, id: null });
});

test("H-18 H-21 H-23 two presses at once for the last place, under names that need a suffix, are one person", async () => {
  const elsewhere = await openHouse();
  await newBrowser("198.51.100.9").press(elsewhere.path);
  for (const names of [
    ["Ada", "Ada"],
    ["Ada", "Bo"],
    ["愛", "愛"],
  ] as const) {
    const { id, path } = await openHouse();
    await setSession(id, { guestLimit: 1 });
    const browser = newBrowser();
    const both = await Promise.all(names.map((name) => browser.press(path, name)));
    const guest = both.find((one) => one.id !== null)?.id ?? 0;
    for (const one of both) expect([guest, null]).toContain(one.id);
    const people = await db.select().from(schema.persons).where(eq(schema.persons.userId, guest));
    expect(people.length).toBe(1);
    expect((await namesIn(id)).length).toBe(1);
  }
});

test("H-22 X-10 no other login of a guest survives the account, nor a sign-out", async () => {
  const { path } = await openHouse();
  const loginsOf = (userId: number) =>
    db.select().from(schema.logins).where(eq(schema.logins.userId, userId));
  const browser = newBrowser();
  const first = await browser.press(path);
  const second = await browser.press(path);
  expect([second.id, (await loginsOf(first.id ?? 0)).length]).toEqual([first.id, 2]);
  const bystander = await newBrowser().press(path, "Bo");
  await browser.send("/auth/logout", {}, [`login=${second.loginToken}`]);
  expect(await loginsOf(first.id ?? 0)).toEqual([]);
  expect((await loginsOf(bystander.id ?? 0)).length).toBe(1);

  const other = newBrowser("198.51.100.9");
  const [one, two] = [await other.press(path, "Cleo"), await other.press(path, "Cleo")];
  expect(two.id).toBe(one.id);
  const app = await testApp({ loginToken: one.loginToken, now: now() });
  const account = { email: "cleo@example.org", username: "cleo-of-the-hill", firstName: "", lastName: "" };
  await register(app, { ...account, password: "a stove, a kettle" });
  expect((await testApp({ loginToken: two.loginToken, now: now() })).user).toBeNull();
  expect((await loginsOf(one.id ?? 0)).length).toBe(1);
});

test("H-18 H-23 another browser, network or session, a program and a later press are guests of their own", async () => {
  const { id, path } = await openHouse();
  const other = await openHouse();
  const browser = newBrowser();
  const first = await browser.press(path);
  const elsewhere = newBrowser("198.51.100.9", browser.xsrf);
  const [away, beside] = [await elsewhere.press(path, "Bo"), await newBrowser().press(path, "Cleo")];
  const program = newBrowser("192.0.2.7", null);
  const programs = [await program.press(path, "Dan"), await program.press(path, "Eve")];
  const there = await browser.press(other.path);
  vi.setSystemTime(Date.now() + 3 * MINUTE);
  await setSession(id, { guestLimit: 9 });
  const late = await browser.press(path, "Finn");
  const ids = [first, away, beside, ...programs, there, late].map((one) => one.id);
  expect(ids).not.toContain(null);
  expect(new Set(ids).size).toBe(ids.length);
  expect(await namesIn(id)).toEqual(["Ada", "Bo", "Cleo", "Dan", "Eve", "Finn"]);
  expect(await namesIn(other.id)).toEqual(["Ada"]);
});

test("H-18 H-19 after a sign-out the browser sits in as a new guest, under the new name", async () => {
  const { host, id, path } = await openHouse();
  const paid = await balanceOf(host);
  const browser = newBrowser();
  const first = await browser.press(path);
  await browser.send("/auth/logout", {}, [`login=${first.loginToken}`]);
  expect(await namesIn(id)).toEqual([]);
  const next = await browser.press(path, "Bo");
  expect([next.status, next.id === first.id, await namesIn(id)]).toEqual([302, false, ["Bo"]]);
  expect(paid - (await balanceOf(host))).toBe(100);
});

/** Everything that D1 has of a session. */
async function recordOf(id: number): Promise<string> {
  const tables = ["participants", "logs", "contributions", "posts", "guest_bans", "goals"];
  const rows = await env.DB.batch(
    tables.map((table) => env.DB.prepare(`SELECT * FROM ${table} WHERE session_id = ?`).bind(id)),
  );
  return JSON.stringify([await sessionNow(id), rows.map(({ results }) => results)]);
}

test("H-19 a guest of one session reaches nothing of another by its number, its address or its things, and changes nothing there", async () => {
  const own = await openHouse();
  const there = await openHouse({
    parts: [{ uuid: "g", auto_start: 0, parts: [{ uuid: "a", title: "A", duration: 600 }] }],
    tasks: [{ uuid: "t", title: "Read", unit: "pages", amount: 20 }],
  });
  const guest = await seated(own.path, "Ada");
  const theirs = await seated(there.path, "Bo");
  for (const { host, id } of [own, there]) await callAs(host, "POST", event(id, "start"), {});
  await callAs(there.host, "POST", event(there.id, "parts/a/start"), {});
  const said = await sayIn(there.member, there.id);
  const logged = await callAs(there.member, "POST", event(there.id, "logs"), { title: "Mine", amount: 2 });
  const [goal] = await db.select().from(schema.goals).where(eq(schema.goals.sessionId, there.id));
  expect([said.status, logged.status, goal?.uuid]).toEqual([201, 201, expect.any(String)]);
  const places: Record<string, string> = {
    event: String(there.id),
    challenge: there.slug,
    part: "a",
    seq: String(said.body.message.seq),
    log: String(logged.body.log.id),
    uuid: goal?.uuid ?? "",
  };
  const body = {
    messageable_type: "challenge_event",
    messageable_id: there.id,
    event_id: there.id,
    goal_id: goal?.id,
    content: "Hello",
    contribution: "Hello",
    aim: "Hello",
    title: "Hello",
    amount: 1,
    is_ready: 1,
    items: [],
    kind: "message",
    id: `${there.id}:${places.seq}`,
    reason: "spam",
  };
  const before = await recordOf(there.id);
  const open: string[] = [];
  for (const call of GUEST_CALLS) {
    const [method = "", path = ""] = call.split(" ");
    if (/^\/(login|register|logout)/.test(path)) continue;
    const address = path.replace(/\{(\w+)\}/g, (_, name) => places[name] ?? "");
    const answer = await callAs(guest, method, address, method === "GET" ? undefined : body);
    if (answer.status < 400) open.push(`${call}: ${answer.status}`);
  }
  for (const tab of ["", "/goals", "/member-goals", "/logs", "/hut", "/chat", "/recap", "/people"]) {
    const page = await visit(guest, `${there.path}${tab}`);
    if (page.status !== 403) open.push(`page ${tab}: ${page.status}`);
    for (const intent of [
      "join",
      "sit-in",
      "leave",
      "ready",
      "aim",
      "say",
      "texts.contribute",
      "log.quick",
    ]) {
      const form = await post(guest, `${there.path}${tab}`, {
        intent,
        name: "Cleo",
        content: "Hm",
        aim: "Hm",
      });
      if (form.status < 400) open.push(`form ${intent} of ${tab}: ${form.status}`);
    }
  }
  expect(open).toEqual([]);
  expect(await recordOf(there.id)).toBe(before);
  // The other session's own guest may.
  expect((await callAs(theirs, "POST", event(there.id, "aim"), { aim: "Hello" })).status).toBe(200);
});

test("H-19 H-21 of two logins the request has one, and the cookie of a guest who was erased opens nothing", async () => {
  const { host, id, path } = await openHouse();
  const [ada, bo] = [await seated(path, "Ada"), await seated(path, "Bo")];
  const asks = (...guests: TestUser[]) =>
    ask(path, {
      headers: {
        Cookie: guests.map(({ loginToken }) => `login=${loginToken}`).join("; "),
        Accept: "text/html",
      },
    }).then((answer) => answer.text());
  const shown = (html: string) => ["Ada", "Bo"].filter((name) => html.includes(`You sit in as ${name}`));
  expect(shown(await asks(ada, bo))).toHaveLength(1);
  expect(shown(await asks(bo, ada))).toHaveLength(1);
  await callAs(host, "POST", event(id, "start"), {});
  vi.setSystemTime(Date.now() + 10 * MINUTE);
  await callAs(host, "POST", event(id, "end"), {});
  const writes = async () => {
    const answers = [await sayIn(ada, id), await callAs(ada, "POST", event(id, "aim"), { aim: "Late" })];
    return answers.map(({ status }) => status);
  };
  for (const status of await writes()) expect(status).toBeGreaterThanOrEqual(400);
  expect((await visit(ada, `${path}/recap`)).status).toBe(200);
  vi.setSystemTime(Date.now() + DAY + MINUTE);
  await eraseGuests(await testApp({ now: now() }));
  await eraseGuests(await testApp({ now: now() }));
  expect(await writes()).toEqual([401, 401]);
  expect(shown(await asks(ada))).toEqual([]);
  expect((await visit(ada, `${path}/recap`)).html).not.toContain("Ada");
});
