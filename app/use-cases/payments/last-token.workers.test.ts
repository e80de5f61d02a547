// Two hundred simultaneous spends of the last token through a real use case: one succeeds each round.
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { connect, schema } from "#db/connect.server";
import { appOf, makeUser, reload } from "#tests/support/factories";
import { runsOf } from "#tests/support/property-seed";
import { balanceOf } from "#tests/support/sessions";
import { asAppError } from "~/domain/errors";
import { createNote } from "~/use-cases/goals/notes.server";

test("B-12 B-05 of two hundred spends of the last token one succeeds", {
  timeout: 300_000,
}, async () => {
  for (let round = 0; round < runsOf(50, 10); round++) {
    const user = await makeUser({ tokens: 1 });
    const app = await appOf(user);
    const tries = await Promise.allSettled(
      Array.from({ length: 200 }, (_, i) => createNote(app, { title: `Note ${i}`, goalId: undefined })),
    );
    const lost = tries.filter((one) => one.status === "rejected");
    expect(lost.length).toBe(199);
    expect(new Set(lost.map(({ reason }) => asAppError(reason).code))).toEqual(
      new Set(["INSUFFICIENT_TOKENS"]),
    );
    const notes = await connect(env.DB).select().from(schema.notes).where(eq(schema.notes.userId, user.id));
    expect(notes).toHaveLength(1);
    expect(await balanceOf(user)).toBe(0);
    expect((await reload(user))?.tokens).toBe(0);
  }
});
