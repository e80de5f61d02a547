// Password hashes, in Node: the same node:crypto as on Workers.
import { scryptSync } from "node:crypto";
import { expect, test } from "vitest";
import { passwords } from "./password-hashes.server";

test("a password is hashed with scrypt, N=2^14 r=8 p=5, as a PHC string with its own salt", async () => {
  const [one, two] = await Promise.all([
    passwords.hash("a lantern at dusk"),
    passwords.hash("a lantern at dusk"),
  ]);
  expect(one).toMatch(/^\$scrypt\$ln=14,r=8,p=5\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(one).not.toBe(two);
  const [, , , salt = "", key] = one.split("$");
  const derived = scryptSync("a lantern at dusk", Buffer.from(salt, "base64"), 32, {
    N: 2 ** 14,
    r: 8,
    p: 5,
  });
  expect(derived.toString("base64").replace(/=+$/, "")).toBe(key);
});

test("only the right password is accepted, in any Unicode form", async () => {
  const phc = await passwords.hash("café au lait");
  expect(await passwords.verify("cafe\u0301 au lait", phc)).toEqual({ isRight: true, isOutdated: false });
  expect(await passwords.verify("cafe au lait", phc)).toEqual({ isRight: false, isOutdated: false });
  expect(await passwords.verify("", phc)).toEqual({ isRight: false, isOutdated: false });
});

test("a hash at another cost is accepted, and reported as outdated", async () => {
  const salt = Buffer.from("sixteen bytes ok");
  const key = scryptSync("old secret", salt, 32, { N: 2 ** 12, r: 8, p: 1 });
  const phc = `$scrypt$ln=12,r=8,p=1$${salt.toString("base64").replace(/=/g, "")}$${key.toString("base64").replace(/=/g, "")}`;
  expect(await passwords.verify("old secret", phc)).toEqual({ isRight: true, isOutdated: true });
  expect(await passwords.verify("new secret", phc)).toEqual({ isRight: false, isOutdated: false });
});

test("a password without a user is never right", async () => {
  for (const phc of [null, "", "none", "$scrypt$ln=14,r=8,p=5$$"])
    expect(await passwords.verify("something that no password gives", phc)).toEqual({
      isRight: false,
      isOutdated: false,
    });
});
