// Calls by the slug of a thing that the user may not see.
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { db, makeUser } from "#tests/support/factories";
import { makeActivity, makeHut, makeSession } from "#tests/support/sessions";

const CALLS = [
  ["POST", "/join", {}],
  ["POST", "/leave", {}],
  ["PATCH", "", { title: "Mine" }],
  ["PATCH", "", { title: "" }],
  ["PATCH", "/patch", { difficulty: "none" }],
  ["DELETE", "", {}],
] as const;

test.each(CALLS)(
  "Q-27 %s {slug}%s with %j answers a stranger the same of a private and of a missing thing",
  async (method, path, body) => {
    const [owner, stranger] = [await makeUser(), await makeUser()];
    const hut = await makeHut(owner);
    const activity = await makeActivity(owner, { hutId: hut.id, isPrivate: true });
    const session = await makeSession(owner, { hut_id: hut.id });
    await db.update(schema.huts).set({ isPrivate: true }).where(eq(schema.huts.id, hut.id));
    await db.update(schema.sessions).set({ isPrivate: true }).where(eq(schema.sessions.id, session.id));
    const answers = [];
    for (const slug of [activity.slug, session.slug, "no-such-thing"]) {
      const { status, body: answer } = await callAs(stranger, method, `/challenges/${slug}${path}`, body);
      answers.push([status, answer.error_code, answer.message, answer.fields]);
    }
    expect(answers).toEqual(
      Array.from({ length: 3 }, () => [404, "NOT_FOUND", "We could not find that.", {}]),
    );
    // Both exist, and their owner reaches them.
    for (const slug of [activity.slug, session.slug])
      expect((await callAs(owner, "PATCH", `/challenges/${slug}`, { title: "Ours" })).status).toBe(200);
  },
);
