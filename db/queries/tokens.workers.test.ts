// The ledger against a real D1.
import { expect, test } from "vitest";
import { runBatch } from "#db/connect.server";
import { db, makeUser, NOW, reload } from "#tests/support/factories";
import { asAppError } from "~/domain/errors";
import { instant } from "~/domain/time";
import { grantPeriod } from "./payments/payments";
import { listLots, returnTokens, spendTokens } from "./tokens";

test("B-10 the eligible lot that expires first pays first", async () => {
  const user = await makeUser({ tokens: 100 });
  const later = instant(NOW + 1000);
  await grantPeriod(db, {
    userId: user.id,
    scope: "goals",
    tokens: 60,
    expiresAt: later,
    reference: `p:${user.id}`,
    now: NOW,
  });
  await db.batch(spendTokens(db, { userId: user.id, what: "goal", reference: `goal:${user.id}`, now: NOW }));
  expect((await listLots(db, user.id, NOW)).map((lot) => lot.remaining)).toEqual([0, 60]);
  const broke = db.batch(
    spendTokens(db, { userId: user.id, what: "join", reference: `join:${user.id}`, now: NOW }),
  );
  expect(asAppError(await broke.catch((e) => e)).code).toBe("INSUFFICIENT_TOKENS");
  expect((await reload(user))?.tokens).toBe(60);
});

test("B-14 a refund returns once to the lots that paid", async () => {
  const user = await makeUser({ tokens: 250 });
  const reference = `join:${user.id}`;
  await db.batch(spendTokens(db, { userId: user.id, what: "join", reference, now: NOW }));
  expect((await reload(user))?.tokens).toBe(150);
  for (let i = 0; i < 3; i++) await runBatch(db, returnTokens(db, { reference, reason: "refund", now: NOW }));
  expect((await reload(user))?.tokens).toBe(250);
});
