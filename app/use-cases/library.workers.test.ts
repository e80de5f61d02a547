// The library of an installation: its things, the tour's session, and installing it again, half or twice at once.
import { env } from "cloudflare:workers";
import { asc, eq, inArray } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { connect, schema } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { appOf, db, errorCodeOf, makeUser, NOW, refusalOf, testApp } from "#tests/support/factories";
import { balanceOf } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";
import { wrappedD1 } from "#tests/support/wrapped-d1";
import { TOUR_IDS } from "~/domain/library";
import { ListQuery } from "~/domain/lists";
import { DAY, instant, seconds } from "~/domain/time";
import { login } from "./accounts/accounts.server";
import { deleteActivity, updateActivity } from "./activities/activities.server";
import { viewHome } from "./home.server";
import { installLibrary, installLibraryByHand, installWantedLibrary } from "./library.server";
import { createSession } from "./sessions/create.server";
import { joinSession } from "./sessions/people.server";
import { startSession } from "./sessions/run.server";
import { waitForSeat } from "./sessions/waiting.server";
import { wakeRooms } from "./upkeep.server";

/** Every row that the library may write, without ids and instants. */
async function rows() {
  const of = async (sql: string) => (await env.DB.prepare(sql).all()).results;
  return {
    library: await of("SELECT uuid, kind, removed_at FROM library ORDER BY uuid"),
    activities: await of("SELECT slug, title, content, is_template FROM activities ORDER BY slug"),
    goals: await of("SELECT title, amount FROM goals ORDER BY title"),
    sessions: await of("SELECT slug, title, is_example, participants_count FROM sessions ORDER BY slug"),
    seats: await of("SELECT count(*) AS n FROM participants"),
    books: await of(
      "SELECT slug, title, (SELECT count(*) FROM snippets WHERE item_id = items.id) AS n FROM items",
    ),
    slugs: await of("SELECT slug, kind FROM slugs ORDER BY slug"),
    users: await of("SELECT username FROM users ORDER BY username"),
    persons: await of("SELECT count(*) AS n FROM persons"),
    spent: await of("SELECT sum(amount) AS sum FROM token_entries"),
  };
}
const TEMPLATES =
  "focus-25-5-4 deep-work-50-10-2 stand-up-in-turns retrospective-in-turns reading-hour".split(" ");

/** Deletes what the library has written, the site's account included. */
async function empty() {
  const tables =
    "library snippets items participants sessions goals activities slugs token_entries token_lots persons users";
  for (const table of tables.split(" ")) await env.DB.exec(`DELETE FROM ${table}`);
}

/** A D1 that answers this many statements, and none after them; the answer of the last is lost at an even number. */
function mortalD1(life: number) {
  let count = 0;
  const run = async <T>(statements: number, ask: () => Promise<T>): Promise<T> => {
    count += statements;
    if (count <= life) return ask();
    const isFirst = count - statements <= life;
    if (isFirst && life % 2 === 0) await ask();
    throw new Error("killed");
  };
  const d1 = wrappedD1(env.DB, {
    one: (_statement, _asked, ask) => run(1, ask),
    batch: (statements, ask) => run(statements, ask),
  });
  return { d1, wasKilled: () => count > life };
}

const tourPlaces = async () => (await viewHome(await testApp(), ListQuery.parse({}))).tour;

let byTwo: Awaited<ReturnType<typeof rows>>;
let whole: Awaited<ReturnType<typeof rows>>;
/** The number of the D1 statement before which each run was killed. */
let kills = 0;
beforeAll(async () => {
  // A new installation has no session.
  await env.DB.exec("DELETE FROM sqlite_sequence WHERE name = 'sessions'");
  await Promise.all([installLibrary(await testApp()), installLibrary(await testApp())]);
  byTwo = await rows();
  await empty();
  // Each thing that a run has made stays for the next, so each run is killed at one of its first statements with new work.
  for (let at = 1; ; at = (at % 20) + 1) {
    const { d1, wasKilled } = mortalD1(at);
    await installLibrary({ ...(await testApp()), db: connect(d1) }).catch(() => {});
    if (!wasKilled()) break;
    kills++;
  }
  whole = await rows();
});

describe("a fresh installation", () => {
  test("H-05 has each thing once after a kill at each statement", async () => {
    expect(kills).toBeGreaterThan(14);
    expect(whole.library).toHaveLength(11);
    expect(whole.activities).toHaveLength(9);
    expect(whole.sessions).toEqual([
      { slug: "a-first-session", title: "A first session", is_example: 1, participants_count: 1 },
    ]);
    expect([whole.seats, whole.users, whole.persons]).toEqual([
      [{ n: 1 }],
      [{ username: "bothy" }],
      [{ n: 1 }],
    ]);
    expect(await installLibrary(await testApp())).toEqual({ made: 0 });
    expect(await rows()).toEqual(whole);
  });

  test("H-01 lists its templates, each with a text, a category, timers and a session that starts", async () => {
    const { challenges } = await dataOf(null, "/api/activities?templates=1");
    expect(challenges).toHaveLength(8);
    expect(challenges.map(({ slug }: { slug: string }) => slug)).toEqual(expect.arrayContaining(TEMPLATES));
    const host = await makeUser({ tokens: 5000 });
    for (const { slug } of challenges) {
      const { challenge } = await dataOf(null, `/api/activities/${slug}`);
      expect([
        challenge.content.length > 40,
        challenge.category_name !== null,
        challenge.parts.length > 0,
      ]).toEqual([true, true, true]);
      const app = await appOf(host);
      const {
        session: { id },
      } = await createSession(app, {
        title: challenge.title,
        activitySlug: slug,
        isManuallyStarted: true,
      });
      const { session } = await startSession(app, { session: id });
      expect([session.id, session.status], slug).toEqual([id, 1]);
    }
  });

  test("H-06 has a book of at least thirty numbered passages, each with its title", async () => {
    const [book] = (await dataOf(null, "/api/books")).books;
    expect(book).toMatchObject({ title: "Aesop's Fables" });
    const passages = await db.select().from(schema.snippets).orderBy(asc(schema.snippets.number));
    expect(passages.map(({ number }) => number)).toEqual(passages.map((_, i) => i + 1));
    expect(passages.length).toBeGreaterThanOrEqual(30);
    // The page says where the text comes from.
    expect((await visit(null, `/books/${book.slug}`)).html).toContain("George Fyler Townsend (1867)");
    expect(passages.every(({ content }) => /^[^\n]{4,60}\n\n[^\n]{100,}$/.test(content))).toBe(true);
  });

  test("H-05 its owner cannot sign in, and nobody can take the name", async () => {
    const [site] = await db.select().from(schema.users).where(eq(schema.users.username, "bothy"));
    for (const password of ["", "none", "bothy"])
      expect(await errorCodeOf(login(await testApp(), { email: site?.email ?? "", password }))).toBe(
        "INVALID",
      );
    const body = { email: "a@example.com", username: "Bothy", password: "a lantern at dusk" };
    expect((await callAs(null, "POST", "/register", body)).body.fields).toHaveProperty("username");
  });
});

describe("the example session of the tour", () => {
  const example = 10;
  test("H-02 is session 10 of challenge-hut-tour, waits, and home names both", async () => {
    const { sessions } = await dataOf(null, "/api/activities/challenge-hut-tour");
    expect(sessions).toMatchObject([{ id: example, status: 0 }]);
    expect((await dataOf(null, `/api/sessions/${example}`)).session).toMatchObject({
      challenge_slug: "challenge-hut-tour",
      is_preset: 0,
      started_at: null,
    });
    expect(await tourPlaces()).toEqual({
      activity: "challenge-hut-tour",
      session: example,
    });
  });

  test("H-02 refuses to be joined, waited for and started, and costs nothing", async () => {
    const ann = await makeUser({ tokens: 1000, roleId: 10 });
    const app = await appOf(ann);
    for (const act of [joinSession, waitForSeat, startSession])
      expect(await refusalOf(act(app, { session: example }))).toBe("CONFLICT: This session is an example.");
    expect(await balanceOf(ann)).toBe(1000);
    expect((await rows()).seats).toEqual(
      (await env.DB.prepare("SELECT count(*) AS n FROM participants WHERE user_id <> 0").all()).results,
    );
  });

  test("H-02 is in no list but its activity's, in no search, no feed and no sitemap", async () => {
    const lists = [
      "/api/home",
      "/api/home?templates=1",
      "/api/events",
      "/api/events?templates=1",
      "/api/events?q=first",
      "/api/events?templates=1&q=first",
    ];
    for (const list of lists) {
      expect(JSON.stringify(await dataOf(null, list)), list).not.toContain('"/sessions/10"');
    }
    const texts = await Promise.all(
      ["/sitemap.xml", "/bothy", "/api/activities/focus-25-5-4"].map(async (path) =>
        JSON.stringify((await callAs(null, "GET", path)).body ?? ""),
      ),
    );
    for (const text of texts) expect(text).not.toContain("sessions/10");
  });

  test("H-02 still waits after a year of crons", async () => {
    await wakeRooms(await testApp({ now: instant(NOW + 366 * DAY) }));
    const [row] = await db.select().from(schema.sessions).where(eq(schema.sessions.id, example));
    expect(row).toMatchObject({ startedAt: null, endedAt: null, closedAt: null, recap: null });
  });
});

describe("an installation that lives", () => {
  test("H-05 keeps a deleted template deleted and an edited one edited", async () => {
    const site = await makeUser({ roleId: 10 });
    const app = await appOf(site);
    // The sessions that tests before have made.
    await env.DB.exec("DELETE FROM sessions WHERE is_example = 0");
    await deleteActivity(app, { slug: "interval-training" });
    await updateActivity(app, { slug: "writing-sprint", title: "Our sprint" });
    const before = await rows();
    expect(await installLibrary(await testApp())).toEqual({ made: 0 });
    const after = await rows();
    const removed = after.library.filter(({ removed_at }) => removed_at !== null);
    expect(removed).toHaveLength(1);
    expect({ ...after, library: null }).toEqual({ ...before, library: null });
  });

  test("H-05 installed by two at once it has the rows of one", async () => {
    expect(byTwo).toEqual(whole);
  });

  test("H-02 the example has id 10 beside other sessions", async () => {
    await empty();
    const host = await makeUser({ tokens: 1000 });
    await env.DB.exec("UPDATE sqlite_sequence SET seq = 3 WHERE name = 'sessions'");
    const other = await createSession(await appOf(host), { title: "Beside it", duration: seconds(3600) });
    expect(other.session.id).toBe(4);
    expect(await installLibrary(await testApp())).toEqual({ made: 11 });
    expect((await tourPlaces()).session).toBe(10);
  });

  test("H-02 the example has another id where 10 is taken, and home names it", async () => {
    await empty();
    const host = await makeUser({ tokens: 1000 });
    await env.DB.exec("UPDATE sqlite_sequence SET seq = 9 WHERE name = 'sessions'");
    // The library's ids are public, so a person may have used one.
    const uuid = TOUR_IDS.session;
    const { session } = await createSession(await appOf(host), {
      title: "In the way",
      uuid,
      duration: seconds(3600),
    });
    expect(session.id).toBe(10);
    expect(await installLibrary(await testApp())).toEqual({ made: 11 });
    const tour = await tourPlaces();
    expect(tour.session).not.toBe(10);
    expect((await dataOf(null, `/api/activities/${tour.activity}`)).sessions).toContainEqual(
      expect.objectContaining({ id: tour.session }),
    );
  });

  test("H-05 Q-29 a deployment asks for it once; a super admin by a press with an audit row, nobody else", async () => {
    const [admin, ann] = [await makeUser({ roleId: 10 }), await makeUser()];
    expect(await errorCodeOf(installLibraryByHand(await appOf(ann)))).toBe("FORBIDDEN");
    expect(await errorCodeOf(installLibraryByHand(await testApp()))).toBe("UNAUTHENTICATED");
    await installLibraryByHand(await appOf(admin));
    const acts = await db
      .select()
      .from(schema.audit)
      .where(inArray(schema.audit.actorId, [admin.id, ann.id]));
    expect(acts).toMatchObject([
      { action: "library-installed", actorId: admin.id, targetKind: "site", targetId: "0" },
    ]);
    expect(await installLibraryByHand(await appOf(admin))).toEqual({ made: 0 });
    expect(await installWantedLibrary(await testApp())).toEqual({});
    await env.DB.exec("INSERT INTO cron_marks (job, mark) VALUES ('library', 'wanted')");
    expect(await installWantedLibrary(await testApp())).toEqual({ made: 0 });
    expect(await installWantedLibrary(await testApp())).toEqual({});
  });
});
