// Notices of every kind when the thing that they lead to goes, or closes to their reader.
import { eq, inArray } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, db, makeUsers, NOW, type TestUser } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { makeSeries, seriesNow } from "#tests/support/series";
import { join, makeHut, makeSession } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";
import { EVENTS } from "~/domain/notices/event-rules";
import type { EventKind } from "~/domain/notices/events";
import { deleteGoal } from "~/use-cases/goals/goals.server";

keepBystanders();

type Thing = { id: number; path: string; go: () => Promise<unknown> };
type Makers = Record<
  "session" | "series" | "hut" | "goal",
  (host: TestUser, reader: TestUser) => Promise<Thing>
>;
const THINGS: Makers = {
  session: async (host, reader) => {
    const { id, slug } = await makeSession(host);
    await join(reader, id);
    return { id, path: `/sessions/${id}`, go: () => callAs(host, "DELETE", `/challenges/${slug}`) };
  },
  series: async (host) => {
    const id = await makeSeries(host);
    const path = `/series/${(await seriesNow(id))?.slug}`;
    return { id, path, go: () => db.delete(schema.series).where(eq(schema.series.id, id)) };
  },
  hut: async (host, reader) => {
    const { id, slug } = await makeHut(host, [reader]);
    return { id, path: `/group/${slug}`, go: () => callAs(host, "DELETE", `/groups/${slug}`, { slug }) };
  },
  goal: async (_host, reader) => {
    const { id } = await makeGoal(reader);
    const go = async () => deleteGoal(await appOf(reader), { goal: id });
    return { id, path: `/my/goals/${id}`, go };
  },
};

const KINDS = Object.keys(EVENTS) as EventKind[];
/** A notice of every kind about the thing, with every field that a sentence may show. */
async function notifyOf(reader: TestUser, subject: string, path: string, kinds = KINDS): Promise<void> {
  const body = { name: "ada", title: "It", path, content: "Hi", reason: "So", sentence: "So." };
  const more = { outcome: "Done.", act: "Act.", titles: ["It"], hut: "Hut", hutPath: path };
  const times = { startedAt: NOW, until: NOW, planned: NOW, endsAt: NOW };
  await db.batch(
    kinds.map((kind, n) =>
      db.insert(schema.notices).values({
        userId: reader.id,
        id: `e${subject.replace(":", "")}${100 + n}`,
        kind,
        subject,
        body: { ...body, ...more, ...times },
        others: [],
        at: NOW,
      }),
    ) as never,
  );
}
const listed = async (reader: TestUser): Promise<string[]> =>
  (await dataOf(reader, "/api/my/notices?limit=100")).notices.map(({ path }: { path: string }) => path);
async function expectAnswers(reader: TestUser, paths: Iterable<string>): Promise<void> {
  for (const path of new Set(paths)) {
    const { status, location } = await visit(reader, path);
    const { status: last } =
      status >= 300 && status < 400 ? await visit(reader, location ?? "/") : { status };
    expect([path, last]).toEqual([path, 200]);
  }
}

for (const [kind, make] of Object.entries(THINGS))
  test(`N-11 when a ${kind} goes, every kind of notice about it leads to a page that answers`, async () => {
    const [host, reader, person] = await makeUsers(3);
    const [thing, other] = [await make(host, reader), await make(host, person)];
    await db.delete(schema.notices).where(inArray(schema.notices.userId, [host.id, reader.id, person.id]));
    await notifyOf(reader, `${kind}:${thing.id}`, thing.path);
    await notifyOf(person, `${kind}:${other.id}`, other.path);
    const [before, others] = [await listed(reader), await listed(person)];
    expect(before).toHaveLength(KINDS.length);
    expect(before).toContain(thing.path);
    await thing.go();
    const after = await listed(reader);
    expect(after.length).toBeGreaterThan(0);
    expect(after).not.toContain(thing.path);
    await expectAnswers(reader, after);
    expect(await listed(person)).toEqual(others);
    await expectAnswers(person, others);
  });

test("N-11 a notice about a session that became private leads to the list of sessions, without what it asked", async () => {
  const [host, reader] = await makeUsers(2);
  const { id } = await makeSession(host);
  await notifyOf(reader, `session:${id}`, `/sessions/${id}`, ["seat-offered"]);
  const asks = async () =>
    (await (await visit(reader, "/my/notices")).texts("main a")).join().includes("Take the seat");
  expect([await listed(reader), await asks()]).toEqual([[`/sessions/${id}`], true]);
  await db.update(schema.sessions).set({ isPrivate: true }).where(eq(schema.sessions.id, id));
  expect([await listed(reader), await asks()]).toEqual([["/my/sessions"], false]);
});
