// The rules of a sign-in beyond the password.
import { expect, test } from "vitest";
import { instant, MINUTE } from "~/domain/time";
import { isHostName, isOtherAddress, readCode, recoveryCodeOf, requireCheck } from "./sign-in";

const now = instant(1_800_000_000_000);
const asker = (minutesAgo: number | null) => ({
  email: "ada@example.com",
  checkedAt: minutesAgo === null ? null : instant(now - minutesAgo * MINUTE),
});
const said = (act: Partial<Parameters<typeof requireCheck>[1]>, from = asker(15)) => {
  try {
    requireCheck(from, { needsCheck: undefined, input: undefined, now, ...act });
    return "passed";
  } catch (error) {
    return (error as { code: string }).code;
  }
};

test("Q-38 an action needs a check only if it declares so", () => {
  for (const needsCheck of [undefined, false, () => false]) expect(said({ needsCheck })).toBe("passed");
  for (const needsCheck of [true, () => true]) expect(said({ needsCheck })).toBe("REAUTH_REQUIRED");
});

test("Q-38 a check is valid for 15 minutes, and a login without one needs it", () => {
  const needsCheck = true;
  expect(said({ needsCheck }, asker(14.9))).toBe("passed");
  expect(said({ needsCheck }, asker(15))).toBe("REAUTH_REQUIRED");
  expect(said({ needsCheck }, asker(null))).toBe("REAUTH_REQUIRED");
});

test("Q-38 a profile needs a check only for another address", () => {
  expect(isOtherAddress(asker(0), {})).toBe(false);
  expect(isOtherAddress(asker(0), { email: "ADA@example.com" })).toBe(false);
  expect(isOtherAddress(asker(0), { email: "eve@example.com" })).toBe(true);
});

test("Q-33 a recovery code has 80 bits, and no letter that looks like a digit", () => {
  const every = Array.from({ length: 16 }, (_, i) => recoveryCodeOf(new Uint8Array(16).fill(i * 2)));
  expect(every[0]).toBe("0000-0000-0000-0000");
  const letters = new Set(Array.from({ length: 256 }, (_, byte) => recoveryCodeOf(new Uint8Array([byte]))));
  expect([letters.size, [...letters].join("").match(/[oilu]/)]).toEqual([32, null]);
});

test("Q-32 Q-33 a code is read however it is typed", () => {
  expect(readCode(" 123 456 ")).toEqual({ digits: "123456" });
  expect(readCode("ABCD-efgh-jkmn-pqrO")).toEqual({ recovery: "abcdefghjkmnpqr0" });
  expect(readCode("oOiI-lLgh-jkmn-pqrs")).toEqual({ recovery: "001111ghjkmnpqrs" });
  for (const typed of ["", "12345", "1234567", "abcd-efgh", "abcd-efgh-jkmn-pqru", "１２３４５６"])
    expect(readCode(typed), typed).toBeNull();
});

test("Q-37 a passkey belongs to a host name, not to an IP address", () => {
  expect(["localhost", "bothy.example"].map(isHostName)).toEqual([true, true]);
  expect(["127.0.0.1", "[::1]", "10.0.0.7"].map(isHostName)).toEqual([false, false, false]);
});
