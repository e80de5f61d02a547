// The statement that makes the first super admin, against a real D1.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { makeUser, reload } from "#tests/support/factories";
import { auditSql, promotionSql } from "./promotion.mjs";

test("A-04 the command makes one registered user super admin and ignores the case of the email", async () => {
  const user = await makeUser();
  const other = await makeUser();
  const { results } = await env.DB.prepare(promotionSql(user.email.toUpperCase())).all();
  expect(results).toEqual([{ username: user.username, email: user.email }]);
  expect((await reload(user))?.roleId).toBe(10);
  expect((await reload(other))?.roleId).toBe(1);
});

test("A-04 Q-29 a promotion leaves one row of the audit, and a repeat none", async () => {
  const user = await makeUser();
  for (const _ of [1, 2])
    await env.DB.batch([auditSql(user.email), promotionSql(user.email)].map((one) => env.DB.prepare(one)));
  const { results } = await env.DB.prepare("SELECT action, previous, reason FROM audit WHERE user_id = ?")
    .bind(user.id)
    .all();
  expect(results).toEqual([{ action: "role-changed", previous: "role 1", reason: "npm run user:promote" }]);
});

test("A-04 the command changes no row when the email matches no user, whatever its text", async () => {
  const user = await makeUser();
  for (const email of ["nobody@example.com", "x' OR '1'='1", "x'; DROP TABLE users; --"]) {
    const { results } = await env.DB.prepare(promotionSql(email)).all();
    expect(results).toEqual([]);
  }
  expect((await reload(user))?.roleId).toBe(1);
});
