// Pointers to each kind of thing, and their ends once the thing is gone: no page that its reader opens has a link to
// nothing.

import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, db, makeUsers, NOW, type TestUser } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { makeItem } from "#tests/support/items";
import { drain, spineApp } from "#tests/support/notices";
import { makeActivity, makeHut, makePost, makeSession, setSession } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";
import { deleteGoal } from "~/use-cases/goals/goals.server";
import { createSession } from "~/use-cases/sessions/create.server";

keepBystanders();

type Made = {
  /** Points at the thing in each way that there is, by name; each answers within 200 to 299. */
  pointers: Record<string, () => Promise<unknown>>;
  go: () => Promise<unknown>;
  /** The addresses of the thing, none of which a page may name once it is gone. */
  paths: string[];
};
type Maker = (owner: TestUser, reader: TestUser) => Promise<Made>;

const call = async (user: TestUser, method: string, path: string, body?: object) => {
  const answer = await callAs(user, method, path, body);
  expect([method, path, answer.status < 300 || answer.body]).toEqual([method, path, true]);
  return answer.body;
};
const hear = async () => drain((await spineApp()).app);
const favour = (user: TestUser, type: string, id: number) =>
  call(user, "POST", "/favorites", { favoritable_type: type, favoritable_id: id, favorite: 1 });

const THINGS: Record<string, Maker> = {
  session: async (owner, reader) => {
    const session = await makeSession(owner, { title: "Gone session" });
    const goal = await makeGoal(reader);
    const inSession = `/challenge-events/${session.id}`;
    return {
      paths: [`/sessions/${session.id}`],
      pointers: {
        seat: () => call(reader, "POST", `${inSession}/join`, {}),
        "tied goal": () =>
          call(reader, "POST", `/api/challenge-events/${session.id}/${goal.id}/attach-my-goal`, {}),
        log: () => call(reader, "POST", "/api/logs/store-quick-log", { goal_id: goal.id, title: "Log" }),
        "mention and its notice": async () => {
          await call(owner, "POST", `/challenges/${session.slug}/posts`, {
            item: { content: `@${reader.username} come` },
          });
          await hear();
        },
        report: () =>
          call(reader, "POST", "/api/reports", { kind: "session", id: String(session.id), reason: "spam" }),
      },
      go: () => call(owner, "DELETE", `/challenges/${session.slug}`),
    };
  },
  hut: async (owner, reader) => {
    const hut = await makeHut(owner, [reader]);
    return {
      paths: [`/group/${hut.slug}`, `/me/${hut.slug}`],
      pointers: {
        favourite: () => favour(reader, "hut", hut.id),
        activity: () => makeActivity(owner, { hutId: hut.id, title: "Of the hut" }),
        item: () => makeItem(reader, { hutId: hut.id, title: "In the hut" }),
        session: () => makeSession(owner, { hut_id: hut.id, title: "At the hut" }),
        "post and its notice": async () => {
          await makePost(owner, { hutId: hut.id });
          await hear();
        },
        request: () =>
          db.insert(schema.hutRequests).values({ hutId: hut.id, userId: owner.id, createdAt: NOW } as never),
        invitation: () =>
          db
            .insert(schema.acceptedInvitations)
            .values({ hutId: hut.id, userId: owner.id, inviteHash: "h", createdAt: NOW } as never),
      },
      go: () => call(owner, "DELETE", `/groups/${hut.slug}`, { slug: hut.slug }),
    };
  },
  activity: async (owner, reader) => {
    const activity = await makeActivity(owner, { title: "Gone activity", isTemplate: true });
    return {
      paths: [`/activities/${activity.slug}`, `template=${activity.slug}`],
      pointers: {
        follower: () => call(reader, "POST", `/challenges/${activity.slug}/join`, {}),
        favourite: () => favour(reader, "challenge", activity.id),
        "ended session": async () => {
          const { id } = await makeSession(reader, { title: "From it", challenge_id: activity.id });
          await setSession(id, { startedAt: 1, endedAt: 2, closedAt: 2 } as never);
        },
      },
      go: () => call(owner, "DELETE", `/challenges/${activity.slug}`),
    };
  },
  item: async (owner, reader) => {
    const item = await makeItem(owner, { title: "Gone item" });
    return {
      paths: [`/${owner.username}/${item.slug}`, `/me/${item.slug}`],
      pointers: {
        favourite: () => favour(reader, "item", item.id),
        child: () => makeItem(owner, { parentId: item.id, title: "Child" }),
      },
      go: () => call(owner, "DELETE", `/items/${item.id}`),
    };
  },
  book: async (owner, reader) => {
    const book = await makeItem(owner, { title: "Gone book", isBook: true });
    const [snippet] = await db
      .insert(schema.snippets)
      .values({
        itemId: book.id,
        number: 1,
        content: "Once",
        contentHtml: "<p>Once</p>",
        summary: "Once",
      } as never)
      .returning();
    return {
      paths: [`/books/${book.slug}`, `/${owner.username}/${book.slug}`],
      pointers: {
        "favourite passage": () => favour(reader, "snippet", snippet?.id ?? 0),
        // A book with the paraphrases of others is not deleted (D-10).
        paraphrase: () =>
          call(owner, "POST", "/api/paraphrases", { snippet_id: snippet?.id, content: "In my words" }),
        "prompt of a session": async () =>
          createSession(await appOf(reader), {
            ...{ title: "Reads it", promptBook: book.slug, duration: 3600 as never, isManuallyStarted: true },
          } as never),
      },
      go: () => call(owner, "DELETE", `/items/${book.id}`),
    };
  },
  goal: async (_owner, reader) => {
    const goal = await makeGoal(reader, { title: "Gone goal" });
    const session = await makeSession(reader, { title: "With an aim" });
    return {
      paths: [`/my/goals/${goal.id}`],
      pointers: {
        log: () => call(reader, "POST", "/api/logs/store-quick-log", { goal_id: goal.id }),
        note: () => call(reader, "POST", "/api/notes", { title: "Of it", goal_id: goal.id }),
        "aim of a seat": () =>
          db
            .update(schema.participants)
            .set({ aim: "Read", aimGoalId: goal.id })
            .where(eq(schema.participants.sessionId, session.id)),
        key: () =>
          db.insert(schema.apiKeys).values({
            ...{ keyHash: "h", userId: reader.id, name: "Key", start: "k", scopes: "log", goalId: goal.id },
            ...{ createdAt: NOW, expiresAt: (NOW + 86_400_000) as never },
          } as never),
        "reminder's notice": () =>
          db.insert(schema.notices).values({
            ...{ userId: reader.id, id: "e9", kind: "goal-reminder", subject: `goal:${goal.id}`, others: [] },
            body: { title: "Gone goal", path: `/my/goals/${goal.id}` },
            at: NOW,
          } as never),
      },
      go: async () => deleteGoal(await appOf(reader), { goal: goal.id }),
    };
  },
};

/** The pages on which people find what they have kept. */
const listsOf = ({ username }: TestUser): string[] =>
  "/ /events /activities /challenges/templates /groups /my/goals /my/logs /my/notes /my/sessions /my/past-sessions /my/series /my/groups /my/notices /me /me?favorites=1 /books /books?favorites=1 /account /account/api /account/notifications /challenges/events/create"
    .split(" ")
    .concat(`/${username}`);

/** The addresses of links and of JSON on the pages, and those of the pages themselves. */
async function linksOf(reader: TestUser): Promise<Set<string>> {
  const links = new Set<string>();
  for (const path of listsOf(reader)) {
    const page = await visit(reader, path);
    if (page.status >= 400) continue;
    for (const { attributes } of await page.all("a[href]")) links.add(attributes.href ?? "");
  }
  for (const path of ["/api/my/notices", "/api/search?q=gone", "/api/my/sessions", "/api/my/goals"])
    for (const [, to = ""] of JSON.stringify(await dataOf(reader, path)).matchAll(/"path":"([^"]+)"/g))
      links.add(to);
  return links;
}

test.each(Object.entries(THINGS))(
  "N-11 no link leads to a %s that is gone, for its owner and for others",
  async (_, make) => {
    const [owner, reader] = await makeUsers(2, { tokens: 100_000 });
    const { pointers, go, paths } = await make(owner, reader);
    for (const point of Object.values(pointers)) await point();
    const before = [...(await linksOf(reader))];
    expect(before.filter((to) => paths.some((path) => to.includes(path))).length).toBeGreaterThan(0);
    await go();
    for (const user of [owner, reader]) {
      const links = [...(await linksOf(user))].filter((to) => /^\/(?!\/)/.test(to));
      expect(links.filter((to) => paths.some((path) => to.includes(path)))).toEqual([]);
      for (const to of links.filter((one) => /\d|-[0-9a-f]{4}/.test(one))) {
        const { status } = await visit(user, to.replace(/#.*/, ""));
        expect([to, status < 400]).toEqual([to, true]);
      }
    }
  },
);
