// The edge's copies of visitors' pages: which requests get one, how old it may be, and what is its own in each answer.
import { waitOnExecutionContext } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { edgeSite, nonceIn } from "#tests/support/edge";
import { appOf, db, makeUser, type TestUser } from "#tests/support/factories";
import { pages } from "#tests/support/pages";
import { makeActivity, makeHut, makeSession, setSession } from "#tests/support/sessions";
import { MINUTE, SECOND } from "~/domain/time";
import { importBook } from "~/use-cases/items/books.server";

const BEGUN = Date.UTC(2026, 10, 26, 12);
const secondsLater = (seconds: number) => void vi.setSystemTime(BEGUN + seconds * SECOND);
beforeEach(() => secondsLater(0));

const as = (user: TestUser) => ({ Cookie: `login=${user.loginToken}` });

describe("E1 the age of a copy", () => {
  test("E1 a copy answers until 15 seconds, then once more until 30 while a new one renders, and no older one", async () => {
    const { get, counted } = edgeSite();
    expect((await get("/events")).state).toBe("miss");
    for (const [seconds, state, renders] of [
      [14, "hit; age=14", 1],
      [15, "hit; age=15", 1],
      [16, "stale; age=16", 2],
      // The new copy is of second 16.
      [31, "hit; age=15", 2],
      [45, "stale; age=29", 3],
      [76, "miss", 4],
    ] as const) {
      secondsLater(seconds);
      const { state: found } = await get("/events");
      expect([seconds, found, counted.renders]).toEqual([seconds, state, renders]);
    }
  });

  test("E1 a copy of 31 seconds is not used", async () => {
    const { get, counted } = edgeSite();
    await get("/events");
    secondsLater(31);
    expect([(await get("/events")).state, counted.renders]).toEqual(["miss", 2]);
  });

  test("E1 a changed session is on visitors' pages within 30 seconds", async () => {
    const host = await makeUser();
    const { id } = await makeSession(host, { title: "By the fire" });
    const { get } = edgeSite();
    const path = `/sessions/${id}`;
    expect((await get(path)).html).toContain("By the fire");
    const changed = await callAs(host, "PATCH", `/challenge-events/${id}/patch`, {
      challenge: { title: "By the window" },
    });
    expect(changed.status).toBe(200);
    secondsLater(31);
    expect((await get(path)).html).toContain("By the window");
  });
});

describe("E1 renderings", () => {
  test("E1 a hundred at once on one page cost one rendering cold and none warm", async () => {
    const { get, counted } = edgeSite();
    const crowd = async () => Promise.all(Array.from({ length: 100 }, () => get("/activities")));
    const cold = await crowd();
    expect(counted.renders).toBe(1);
    expect(new Set(cold.map(({ status }) => status))).toEqual(new Set([200]));
    const warm = await crowd();
    expect([counted.renders, new Set(warm.map(({ state }) => state))]).toEqual([1, new Set(["hit; age=0"])]);
    expect(new Set([...cold, ...warm].map(({ html }) => nonceIn(html))).size).toBe(200);
  });

  test("E1 a hundred at once on a copy of 20 seconds renew it once", async () => {
    const { get, counted } = edgeSite();
    await get("/activities");
    secondsLater(20);
    const crowd = await Promise.all(Array.from({ length: 100 }, () => get("/activities")));
    expect([counted.renders, new Set(crowd.map(({ state }) => state))]).toEqual([
      2,
      new Set(["stale; age=20"]),
    ]);
  });

  test("E1 a rendering goes on to its copy when the visitor leaves", async () => {
    let [begin, open] = [() => {}, () => {}];
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const gate = new Promise<void>((resolve) => (open = resolve));
    let isRendered = false;
    const { send, get } = edgeSite({
      render: async (request, context) => {
        begin();
        await gate;
        const page = await pages(request, context);
        isRendered = true;
        return page;
      },
    });
    const { answer, context } = send("/events");
    await begun;
    // The runtime ends what no `waitUntil` holds.
    const held = waitOnExecutionContext(context);
    open();
    await held;
    expect(isRendered).toBe(true);
    expect((await get("/events")).state).toBe("hit; age=0");
    await answer;
  });

  test("E1 a rendering that fails leaves nothing behind, and the next request renders", async () => {
    let isBroken = true;
    const { get } = edgeSite({
      render: async (request, context) => {
        if (isBroken) throw new Error("D1 is down");
        return pages(request, context);
      },
    });
    const answered = async () => {
      const { status, state } = await get("/events");
      return [status, state];
    };
    const said = vi.spyOn(console, "error").mockImplementation(() => {});
    expect(await answered()).toEqual([500, null]);
    said.mockRestore();
    isBroken = false;
    expect(await answered()).toEqual([200, "miss"]);
  });
});

describe("R-101 a hut that becomes private", () => {
  test("R-101 Q-27 no copy or feed of its things answers a visitor, and those of another hut still do", async () => {
    const owner = await makeUser();
    const [hut, other] = [await makeHut(owner), await makeHut(owner)];
    const thingsOf = async ({ id, slug }: { id: number; slug: string }) => {
      const [activity, session] = [await makeActivity(owner), await makeSession(owner)];
      const item = await callAs(owner, "POST", "/items", {
        itemData: { title: "Kettle", group_id: id, status: 1 },
      });
      expect(item.status).toBe(201);
      await db.update(schema.activities).set({ hutId: id }).where(eq(schema.activities.slug, activity.slug));
      await setSession(session.id, { hutId: id });
      const hutPath = `/group/${slug}`;
      return {
        pages: [
          hutPath,
          `${hutPath}/sessions`,
          `${hutPath}/activities`,
          `${hutPath}/forum`,
          `/activities/${activity.slug}`,
          `/sessions/${session.id}`,
          `/sessions/${session.id}/goals`,
          item.body.item.path as string,
        ],
        feeds: [`${hutPath}/calendar.ics`, `/activities/${activity.slug}/calendar.ics`],
      };
    };
    const [own, others] = [await thingsOf(hut), await thingsOf(other)];
    const { get } = edgeSite();
    const etags = new Map<string, string>();
    for (const { pages, feeds } of [own, others]) {
      for (const path of pages) {
        expect([path, (await get(path)).state]).toEqual([path, "miss"]);
        expect([path, (await get(path)).state]).toEqual([path, "hit; age=0"]);
      }
      for (const path of feeds) etags.set(path, (await get(path)).headers.get("ETag") ?? "");
    }
    const closed = await callAs(owner, "PATCH", `/groups/${hut.slug}/patch`, {
      hut: { is_private: 1 },
    });
    expect(closed.status).toBe(200);
    const asked = async (path: string) => {
      const { status, state } = await get(path, { "If-None-Match": etags.get(path) ?? "" });
      return [path, status, state];
    };
    for (const path of [...own.pages, ...own.feeds]) expect(await asked(path)).toEqual([path, 404, null]);
    for (const path of others.pages) expect(await asked(path)).toEqual([path, 200, "hit; age=0"]);
    for (const path of others.feeds) expect(await asked(path)).toEqual([path, 304, null]);
  });
});

describe("R-101 a thing that moves into a private hut", () => {
  test("R-101 Q-27 is answered from no copy, with its tabs, and things beside it still are", async () => {
    const owner = await makeUser();
    const hut = await makeHut(owner);
    await db.update(schema.huts).set({ isPrivate: true }).where(eq(schema.huts.id, hut.id));
    const things = async () => {
      const [session, activity] = [await makeSession(owner), await makeActivity(owner)];
      const item = await callAs(owner, "POST", "/items", { itemData: { title: "Kettle", status: 1 } });
      return {
        session,
        activity,
        item: item.body.item as { id: number; path: string },
        paths: [
          `/sessions/${session.id}`,
          `/sessions/${session.id}/hut`,
          `/activities/${activity.slug}`,
          item.body.item.path as string,
        ],
      };
    };
    const [own, others] = [await things(), await things()];
    const { get } = edgeSite();
    for (const path of [...own.paths, ...others.paths])
      for (const state of ["miss", "hit; age=0"])
        expect([path, (await get(path)).state]).toEqual([path, state]);
    await setSession(own.session.id, { hutId: hut.id });
    for (const table of [schema.activities, schema.items]) {
      const { id } = table === schema.items ? own.item : own.activity;
      await db.update(table).set({ hutId: hut.id }).where(eq(table.id, id));
    }
    for (const path of own.paths) {
      const { status, state } = await get(path);
      expect([path, status, state]).toEqual([path, 404, null]);
    }
    for (const path of others.paths) expect([path, (await get(path)).state]).toEqual([path, "hit; age=0"]);
  });
});

describe("R-101 an item or a book that closes", () => {
  const madeItem = async (owner: TestUser, itemData: Record<string, unknown>) => {
    const made = await callAs(owner, "POST", "/items", { itemData: { status: 1, ...itemData } });
    expect(made.status).toBe(201);
    return made.body.item as { id: number; path: string };
  };
  const family = async (owner: TestUser) => {
    const parent = await madeItem(owner, { title: "Blue kettle" });
    const child = await madeItem(owner, { title: "Green lamp", parent_id: parent.id });
    return { parent, child };
  };
  const book = async (owner: TestUser) => {
    const { slug } = await importBook(await appOf(owner), { title: "Of old stoves", text: "Blow gently." });
    const [row] = await db.select().from(schema.items).where(eq(schema.items.slug, slug));
    const [passage] = await db
      .select()
      .from(schema.snippets)
      .where(eq(schema.snippets.itemId, row?.id ?? 0));
    return {
      id: row?.id ?? 0,
      title: "Of old stoves",
      paths: [`/books/${slug}`, `/books/${slug}/snippets/${passage?.id}`],
    };
  };
  const child = async (owner: TestUser) => {
    const { child } = await family(owner);
    return { id: child.id, title: "Green lamp", paths: [child.path] };
  };
  const parent = async (owner: TestUser) => {
    const { parent, child } = await family(owner);
    return { id: parent.id, title: "Blue kettle", paths: [parent.path, child.path] };
  };
  const unpublish = (owner: TestUser, id: number) =>
    callAs(owner, "PATCH", `/items/${id}`, { itemData: { status: 0 } });
  const remove = (owner: TestUser, id: number) => callAs(owner, "DELETE", `/items/${id}`);
  const hide = async (owner: TestUser, id: number) => {
    const hut = await makeHut(owner);
    await db.update(schema.huts).set({ isPrivate: true }).where(eq(schema.huts.id, hut.id));
    return callAs(owner, "PATCH", `/items/${id}`, { itemData: { group_id: hut.id } });
  };
  /** An item with others below it gets into a private hut only with its hut, which becomes private. */
  const hideHut = async (owner: TestUser, id: number) => {
    const hut = await makeHut(owner);
    const moved = await callAs(owner, "PATCH", `/items/${id}`, { itemData: { group_id: hut.id } });
    await db.update(schema.huts).set({ isPrivate: true }).where(eq(schema.huts.id, hut.id));
    return moved;
  };

  test.each([
    ["an item that is unpublished", child, unpublish, [404]],
    ["an item that is deleted", child, remove, [404]],
    ["an item that moves into a private hut", child, hide, [404]],
    // The item below is public still, without its parent.
    ["a parent that is unpublished", parent, unpublish, [404, 200]],
    ["a parent that is deleted", parent, remove, [404, 404]],
    ["a parent whose hut becomes private", parent, hideHut, [404, 404]],
    ["a book that is unpublished", book, unpublish, [404, 404]],
    ["a book that is deleted", book, remove, [404, 404]],
    ["a book that moves into a private hut", book, hide, [404, 404]],
  ] as const)(
    "R-101 E1 no copy shows %s, and its like beside it still has copies",
    async (_, make, close, statuses) => {
      const owner = await makeUser();
      const [own, other] = [await make(owner), await make(owner)];
      const { get } = edgeSite();
      for (const path of [...own.paths, ...other.paths])
        for (const state of ["miss", "hit; age=0"]) {
          const { html, ...answer } = await get(path);
          expect([path, answer.state, html.includes(own.title)]).toEqual([path, state, true]);
        }
      expect((await close(owner, own.id)).status).toBeLessThan(300);
      for (const [at, path] of own.paths.entries()) {
        const { status, state, html } = await get(path);
        const expected = statuses[at] === 200 ? "miss" : null;
        expect([path, status, state, html.includes(own.title)]).toEqual([
          path,
          statuses[at],
          expected,
          false,
        ]);
      }
      for (const path of other.paths) expect([path, (await get(path)).state]).toEqual([path, "hit; age=0"]);
    },
  );
});

describe("E1 what is its own in each answer", () => {
  test("E1 a copy answers with a nonce, a policy and an XSRF token of its own, and is kept by no browser", async () => {
    const { get } = edgeSite();
    const answers = [await get("/events"), await get("/events"), await get("/events")];
    expect(answers.map(({ state }) => state)).toEqual(["miss", "hit; age=0", "hit; age=0"]);
    const nonces = answers.map(({ html }) => nonceIn(html));
    expect(new Set(nonces).size).toBe(3);
    for (const [at, { html, headers }] of answers.entries()) {
      const nonce = nonces[at];
      expect(headers.get("Content-Security-Policy")).toContain(`'nonce-${nonce}'`);
      for (const [, other] of html.matchAll(/ nonce="([^"]*)"/g)) expect(other).toBe(nonce);
      expect(headers.get("Cache-Control")).toBe("private, no-store");
      expect(headers.getSetCookie().map((line) => line.slice(0, line.indexOf("=")))).toEqual(["XSRF-TOKEN"]);
      expect([...headers.keys()].filter((name) => /^x-(rendered|nonce)/.test(name))).toEqual([]);
    }
    const tokens = answers.map(({ headers }) => headers.getSetCookie()[0]);
    expect(new Set(tokens).size).toBe(3);
    const known = await get("/events", { Cookie: "XSRF-TOKEN=abcdefghijklmnopqrstuvwxyz" });
    expect([known.state, known.headers.getSetCookie()]).toEqual(["hit; age=0", []]);
  });

  test("E1 the countdown of a copy takes the time of the answer", async () => {
    const host = await makeUser();
    const { id } = await makeSession(host, {
      is_manually_started: 0,
      started_at: new Date(BEGUN + 10 * MINUTE).toISOString(),
    });
    const { get } = edgeSite();
    const numerals = ({ html }: { html: string }) => [
      ...new Set([...html.matchAll(/ data-until="\d+"[^>]*>([^<]*)/g)].map(([, text]) => text)),
    ];
    expect(numerals(await get(`/sessions/${id}`))).toEqual(["10:00"]);
    secondsLater(14);
    const late = await get(`/sessions/${id}`);
    expect([late.state, numerals(late)]).toEqual(["hit; age=14", ["09:46"]]);
  });
});

describe("E1 requests without a copy", () => {
  test.each([
    ["a login", { Cookie: "login=unknown" }],
    ["the bookmark of a write", { Cookie: "d1=00000001-0-0" }],
    ["the answer of a form", { Cookie: "toast=Done" }],
    ["a form that returns", { Cookie: "returned=x" }],
    ["an act that waits for a sign-in", { Cookie: "interrupted=x" }],
    ["a cookie that nobody declared", { Cookie: "other=1" }],
    ["a key", { Authorization: "Bearer x" }],
    ["no wish for HTML", { Accept: "application/json" }],
  ])("E1 %s renders, and leaves no copy", async (_, headers: Record<string, string>) => {
    const { get, counted } = edgeSite();
    expect((await get("/events", headers)).state).toBe(null);
    expect((await get("/events")).state).toBe("miss");
    expect((await get("/events", headers)).state).toBe(null);
    expect(counted.renders).toBe(3);
  });

  test("E1 over https cookies without our prefix are those of others, and change nothing", async () => {
    const { get } = edgeSite({ isHttps: true });
    expect((await get("/events", { Cookie: "__cf_bm=1" })).state).toBe("miss");
    expect((await get("/events", { Cookie: "__cf_bm=2; login=x" })).state).toBe("hit; age=0");
    expect((await get("/events", { Cookie: "__Host-login=x" })).state).toBe(null);
    expect((await get("/events", { Cookie: "__Host-other=x" })).state).toBe(null);
  });

  test("E1 HEAD, a very long query and a page that is not declared get no copy", async () => {
    const { get } = edgeSite();
    expect((await get("/events", {}, "HEAD")).state).toBe(null);
    expect((await get(`/events?q=${"x".repeat(1000)}`)).state).toBe(null);
    for (const path of ["/about", "/my/goals", "/forgot-password", "/account/confirm-email?token=x"])
      expect([path, (await get(path)).state]).toEqual([path, null]);
  });

  test("E1 EDGE_CACHE=off turns all copies off", async () => {
    const { get, counted } = edgeSite({ over: { EDGE_CACHE: "off" } });
    for (const renders of [1, 2])
      expect([(await get("/events")).state, counted.renders]).toEqual([null, renders]);
  });

  test("E1 a redirect and a missing page are answered as without copies, and not kept", async () => {
    const { get, counted } = edgeSite();
    for (const [path, status] of [
      ["/events?joined=1", 302],
      ["/nobody-of-this-name", 404],
      ["/activities/no-such-activity", 404],
    ] as const) {
      const before = counted.renders;
      for (const count of [1, 2]) {
        const answer = await get(path);
        expect([path, answer.status, answer.state, counted.renders - before]).toEqual([
          path,
          status,
          null,
          count,
        ]);
      }
    }
  });

  test.each([
    ["a cookie", "Set-Cookie", "toast=Done; Path=/"],
    ["a rule of its own for caches", "Cache-Control", "private"],
    ["a type other than HTML", "Content-Type", "application/json"],
  ])(
    "E1 an answer with %s is for its visitor and leaves no copy, and the page beside it has one",
    async (_, name, value) => {
      const { get } = edgeSite({
        render: async (request, context) => {
          const page = await pages(request, context);
          if (new URL(request.url).pathname !== "/events") return page;
          const answered = new Response(page.body, page);
          answered.headers.set(name, value);
          return answered;
        },
      });
      for (const path of ["/events", "/activities", "/events", "/activities"]) await get(path);
      expect((await get("/events")).state).toBe(null);
      expect((await get("/activities")).state).toBe("hit; age=0");
    },
  );

  test("E1 R-95 a session with a join code is rendered for each visitor, and so is one as soon as it gets a code", async () => {
    const host = await makeUser();
    const coded = await makeSession(host, { join_code: "lantern" });
    const { get } = edgeSite();
    for (const tab of ["", "/goals", "/member-goals", "/logs", "/hut", "/chat"])
      for (const _ of [1, 2]) {
        const { status, state } = await get(`/sessions/${coded.id}${tab}`);
        expect([tab, status, state]).toEqual([tab, 200, null]);
      }
    const [open, bystander] = [await makeSession(host, {}), await makeSession(host, {})];
    const tabs = ["", "/goals", "/logs", "/chat"];
    for (const { id } of [open, bystander])
      for (const tab of tabs) expect((await get(`/sessions/${id}${tab}`)).state).toBe("miss");
    await callAs(host, "PATCH", `/challenge-events/${open.id}/patch`, {
      challenge: { join_code: "lantern" },
    });
    for (const tab of tabs) {
      expect([tab, (await get(`/sessions/${open.id}${tab}`)).state]).toEqual([tab, null]);
      expect([tab, (await get(`/sessions/${bystander.id}${tab}`)).state]).toEqual([tab, "hit; age=0"]);
    }
  });

  test("E1 R-101 a deleted activity is gone for everybody at once", async () => {
    const owner = await makeUser();
    const { slug } = await makeActivity(owner);
    const { get } = edgeSite();
    const path = `/activities/${slug}`;
    expect((await get(path)).status).toBe(200);
    const gone = await callAs(owner, "DELETE", `/challenges/${slug}`);
    expect(gone.status).toBeLessThan(300);
    const d1 =
      gone.headers
        .getSetCookie()
        .find((line) => line.startsWith("d1="))
        ?.split(";")[0] ?? "";
    expect((await get(path, { Cookie: d1 })).status).toBe(404);
    expect((await get(path, as(owner))).status).toBe(404);
    expect((await get(path)).status).toBe(404);
  });

  test("E1 Q-27 the sitemap is no older than a list", async () => {
    const { get } = edgeSite();
    const { headers } = await get("/sitemap.xml");
    expect(headers.get("Cache-Control")).toBe("public, max-age=30");
  });
});
