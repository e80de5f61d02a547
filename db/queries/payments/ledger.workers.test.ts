// The ledger under random operations of many users in parallel: sums agree and no balance is negative (B-12).
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runBatch } from "#db/connect.server";
import { returnTokens, spendTokens } from "#db/queries/tokens";
import { db, makeUser, NOW, reload, type TestUser } from "#tests/support/factories";
import { seedsOf } from "#tests/support/property-seed";
import { asAppError } from "~/domain/errors";
import { type Instant, instant } from "~/domain/time";
import { PRICES, type Priced } from "~/domain/tokens";
import { grantPeriod } from "./payments";

type Operation =
  | { type: "spend"; user: number; what: Priced }
  | { type: "refund"; user: number; nth: number; upTo: number }
  | { type: "grant"; user: number; amount: number; scope: "all" | "goals"; days: number | null };

const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant("spend" as const),
      user: fc.nat(1),
      what: fc.constantFrom<Priced>("goal", "goal", "join", "join", "chat", "log", "follow", "note", "post"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("refund" as const),
      user: fc.nat(1),
      nth: fc.nat(20),
      upTo: fc.constantFrom(1, 37, 100, 10_000),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("grant" as const),
      user: fc.nat(1),
      amount: fc.integer({ min: 1, max: 130 }),
      scope: fc.constantFrom("all" as const, "goals" as const),
      days: fc.constantFrom(null, 0, 1, 30),
    }),
  },
);

/** Each lot's remainder equals its grant plus its entries, and none is negative. Returns the user's balance. */
async function checkBooks(user: TestUser) {
  const { results } = await env.DB.prepare(
    `SELECT l.id, l.granted, l.remaining, coalesce(sum(e.amount), 0) AS entries
     FROM token_lots l LEFT JOIN token_entries e ON e.lot_id = l.id WHERE l.user_id = ? GROUP BY l.id`,
  )
    .bind(user.id)
    .all<{ id: number; granted: number; remaining: number; entries: number }>();
  for (const lot of results) {
    expect(lot.remaining).toBe(lot.granted + lot.entries);
    expect(lot.remaining).toBeGreaterThanOrEqual(0);
  }
  return results.reduce((sum, lot) => sum + lot.remaining, 0);
}

const reached = { refused: 0, refunded: 0 };
async function carryOut(op: Operation, user: TestUser, references: string[], id: string): Promise<number> {
  if (op.type === "grant") {
    await grantPeriod(db, {
      userId: user.id,
      scope: op.scope,
      tokens: op.amount,
      // A purchased lot never expires.
      expiresAt: (op.days === null ? null : instant(NOW + op.days * 86_400_000)) as Instant,
      reference: id,
      now: NOW,
    });
    return op.amount;
  }
  if (op.type === "spend") {
    const result = await db
      .batch(spendTokens(db, { userId: user.id, what: op.what, reference: id, now: NOW }))
      .catch((e) => e);
    if (result instanceof Error) {
      expect(asAppError(result).code).toBe("INSUFFICIENT_TOKENS");
      reached.refused++;
      return 0;
    }
    references.push(id);
    return -PRICES[op.what];
  }
  const reference = references[op.nth % Math.max(1, references.length)];
  if (!reference) return 0;
  const before = await checkBooks(user);
  await runBatch(db, returnTokens(db, { reference, reason: "refund", upTo: op.upTo, now: NOW }));
  const returned = (await checkBooks(user)) - before;
  if (returned > 0) reached.refunded++;
  return returned;
}

test.each(seedsOf(20_261_121))(
  "B-12 the ledger agrees with a plain sum after each of a series of random operations (seed %i)",
  async (seed) => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(operation, { minLength: 25, maxLength: 60, size: "max" }),
        async (operations) => {
          run++;
          const users = await Promise.all([0, 1].map(() => makeUser({ tokens: 250 })));
          const sums = users.map(() => 250);
          const references = users.map((): string[] => []);
          for (const [i, op] of operations.entries()) {
            const user = users[op.user];
            if (!user) continue;
            sums[op.user] =
              (sums[op.user] ?? 0) +
              (await carryOut(op, user, references[op.user] ?? [], `r${seed}-${run}-${i}`));
            expect(await checkBooks(user)).toBe(sums[op.user]);
          }
        },
      ),
      { numRuns: 13, seed },
    );
    for (const [what, count] of Object.entries(reached)) expect(count, what).toBeGreaterThan(0);
  },
);

test.each(seedsOf(20_261_122))(
  "B-12 parallel random operations cause no drift and no double spending (seed %i)",
  async (seed) => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(operation, { minLength: 40, maxLength: 80, size: "max" }),
        async (operations) => {
          run++;
          const users = await Promise.all([0, 1].map(() => makeUser({ tokens: 250 })));
          const references = users.map((): string[] => []);
          const parallel = operations.filter((op) => op.type !== "refund");
          const changes = await Promise.all(
            parallel.map(async (op, i) => {
              const user = users[op.user];
              return user
                ? {
                    user: op.user,
                    by: await carryOut(op, user, references[op.user] ?? [], `p${seed}-${run}-${i}`),
                  }
                : null;
            }),
          );
          for (const [i, user] of users.entries()) {
            const expected = changes.reduce(
              (sum, change) => (change?.user === i ? sum + change.by : sum),
              250,
            );
            expect(await checkBooks(user)).toBe(expected);
          }
        },
      ),
      { numRuns: 8, seed },
    );
  },
);

test("B-12 the last token spent two hundred times at once is spent once", async () => {
  const user = await makeUser({ tokens: 100 });
  const tries = await Promise.allSettled(
    Array.from({ length: 200 }, (_, i) =>
      db.batch(spendTokens(db, { userId: user.id, what: "join", reference: `last-${i}`, now: NOW })),
    ),
  );
  expect(tries.filter((t) => t.status === "fulfilled")).toHaveLength(1);
  expect((await reload(user))?.tokens).toBe(0);
  expect(await checkBooks(user)).toBe(0);
});

test("B-12 a repeat of the same reference is refused and changes nothing", async () => {
  const user = await makeUser({ tokens: 500 });
  const spend = () =>
    db.batch(spendTokens(db, { userId: user.id, what: "join", reference: "same", now: NOW }));
  await spend();
  await expect(spend()).rejects.toThrow();
  expect(await checkBooks(user)).toBe(400);
});
