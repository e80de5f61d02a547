import { expect, test } from "vitest";
import { promotionSql, readArguments } from "./promotion.mjs";

test("A-04 the command takes one email, and --remote before or after it", () => {
  expect(readArguments(["ada@example.com"])).toEqual({ email: "ada@example.com", isRemote: false });
  expect(readArguments(["--remote", "o'neill@example.com"])).toEqual({
    email: "o'neill@example.com",
    isRemote: true,
  });
  for (const bad of [[], ["--remote"], ["--help"], ["a@b.co", "c@d.co"]])
    expect(() => readArguments(bad), bad.join()).toThrow("Usage: npm run user:promote");
  for (const bad of [
    "ada",
    "ada@example",
    "a b@example.com",
    'a"@example.com',
    "a;b@example.com",
    "a@b@c.org",
  ])
    expect(() => readArguments([bad]), bad).toThrow("is not an email address");
});

test("A-04 the statement contains the email as one quoted string", () => {
  expect(promotionSql("o'neill@example.com")).toBe(
    "UPDATE users SET role_id = 10 WHERE lower(email) = lower('o''neill@example.com') RETURNING username, email",
  );
});
