// Two neighbouring letters find a title without spaces, whichever call wrote it.
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { callAs } from "#tests/support/ask";
import { makeUser, type TestUser } from "#tests/support/factories";
import { makeSession } from "#tests/support/sessions";

let user: TestUser;
beforeAll(async () => {
  user = await makeUser({ tokens: 100_000 });
});

const LISTS = {
  session: ["/api/events", "sessions"],
  activity: ["/api/activities", "challenges"],
  hut: ["/api/groups", "groups"],
} as const;
type Kind = keyof typeof LISTS;

async function find(kind: Kind, q: string): Promise<string[]> {
  const [path, list] = LISTS[kind];
  const { body } = await callAs(null, "GET", `${path}?q=${encodeURIComponent(q)}`);
  return body.serverData[list].map(({ title }: { title: string }) => title);
}

type Made = { rename(title: string): Promise<{ status: number }> };
const make: Record<Kind, (title: string) => Promise<Made>> = {
  session: async (title) => {
    const { id } = await makeSession(user, { title });
    return {
      rename: (to) => callAs(user, "PATCH", `/challenge-events/${id}/patch`, { challenge: { title: to } }),
    };
  },
  activity: async (title) => {
    const { body } = await callAs(user, "POST", "/challenges", { challenge: { title } });
    const { slug } = body.challenge;
    await callAs(user, "POST", `/challenges/${slug}/join`, {});
    return { rename: (to) => callAs(user, "PATCH", `/challenges/${slug}`, { challenge: { title: to } }) };
  },
  hut: async (title) => {
    const { body } = await callAs(user, "POST", "/groups/store", { hut: { title } });
    return {
      rename: (to) => callAs(user, "PATCH", `/groups/${body.hut.slug}/patch`, { hut: { title: to } }),
    };
  },
};

test.each(["session", "activity", "hut"] as const)(
  "C-49 two letters find a %s by its title, and after a new title by that alone",
  async (kind) => {
    const titles = {
      日本語の読書会: ["読書", "日本語", "書会", "会"],
      中文阅读小组: ["阅读", "小组"],
      "독서모임 서울": ["서모", "모임", "서울"],
      ชมรมการอ่าน: ["อ่าน", "การ"],
    };
    for (const [title, asked] of Object.entries(titles)) {
      const { rename } = await make[kind](title);
      for (const q of asked) expect(await find(kind, q), `${title} ${q}`).toContain(title);
      expect(await find(kind, `${asked[0]}猫`)).toEqual([]);
      expect((await rename(`${title} 散歩`)).status).toBeLessThan(300);
      expect(await find(kind, "散歩")).toContain(`${title} 散歩`);
      expect((await rename("Plain words")).status).toBeLessThan(300);
      expect(await find(kind, asked[0] ?? "")).not.toContain(title);
      expect(await find(kind, "散歩")).toEqual([]);
    }
    expect(await find(kind, "Pla")).toContain("Plain words");
    expect(await find(kind, "plian")).toContain("Plain words");
  },
);

test.each(["session", "activity", "hut"] as const)(
  "C-49 a search of a person's own %s list finds the titles with its words, and no other",
  async (kind) => {
    const [asking, other] = [user, await makeUser({ tokens: 9000 })];
    await make[kind]("Larch walk");
    await make[kind]("Larch dinner");
    user = other;
    await make[kind]("Larch by others");
    user = asking;
    const [path, list] = LISTS[kind];
    const own = async (q: string) => {
      const { body } = await callAs(asking, "GET", `${path}?joined=1&q=${encodeURIComponent(q)}`);
      return body.serverData[list].map(({ title }: { title: string }) => title).sort();
    };
    expect(await own("larch")).toEqual(["Larch dinner", "Larch walk"]);
    expect(await own("larch din")).toEqual(["Larch dinner"]);
    expect(await own("larch others")).toEqual([]);
  },
);

test("C-49 a title that the room of a running session saves is found by its letters", async () => {
  const { id, slug } = await makeSession(user, { title: "Before" });
  await callAs(user, "POST", `/challenge-events/${id}/start`, {});
  const saved = await callAs(user, "PUT", `/challenges/${slug}/save-content`, {
    title: "朝の読書",
    content: "Words",
  });
  expect(saved.status).toBe(200);
  expect(await find("session", "読書")).toContain("朝の読書");
});

test("C-49 letters of a hut's title find its sessions, those of a private hut's session its members", async () => {
  const hutOf = async (title: string) =>
    (await callAs(user, "POST", "/groups/store", { hut: { title } })).body.hut as {
      id: number;
      slug: string;
    };
  const open = await hutOf("山小屋の会");
  await makeSession(user, { title: "Tea", hut_id: open.id });
  expect(await find("session", "小屋")).toEqual(["Tea"]);
  const hidden = await hutOf("Closed");
  const { id } = await makeSession(user, { title: "日本語の勉強会", hut_id: hidden.id });
  await env.DB.prepare("UPDATE huts SET is_private = 1 WHERE id = ?").bind(hidden.id).run();
  expect(await find("session", "勉強")).toEqual([]);
  const { body } = await callAs(
    user,
    "GET",
    `/api/group/${hidden.slug}/sessions?q=${encodeURIComponent("勉強")}`,
  );
  expect(JSON.stringify(body.serverData)).toContain(`"id":${id}`);
});

const FOLDED: [title: string, ...asked: string[]][] = [
  ["Don’t stop reading", "don't", "dont", "don’t stop"],
  ["Crème brûlée", "creme", "CRÈME"],
  ["Co‑op – walk", "co-op"],
  ["Straße der Bücher", "strasse", "straße"],
  ["Łódź", "lodz", "łódź"],
  ["Smørrebrød", "smorrebrod"],
  ["كِتَاب الصباح", "كتاب", "كِتَاب"],
  ["שָׁלוֹם", "שלום"],
  ["İstanbul", "istanbul"],
  ["हिन्दी पढ़ना", "हिन्दी"],
];
test.each(["session", "activity", "hut"] as const)(
  "R-80 a %s is found without accents, apostrophes and vowel marks, on either side",
  async (kind) => {
    for (const [title, ...asked] of FOLDED) {
      await make[kind](title);
      for (const q of asked) {
        expect(await find(kind, q), `${title} ${q}`).toContain(title);
        const { body } = await callAs(null, "GET", `/api/search?q=${encodeURIComponent(q)}`);
        expect(body.serverData.results.map((one: { title: string }) => one.title)).toContain(title);
      }
    }
  },
);
