import { expect, test } from "vitest";
import { cookieName, readableCookie } from "./cookies";

test("X-03 a cookie that scripts read is Secure and bound to its host over https", () => {
  expect(readableCookie(true, "theme", "dark", 60)).toBe(
    "__Host-theme=dark; Path=/; Max-Age=60; SameSite=Lax; Secure",
  );
  expect(readableCookie(false, "theme", "dark", 60)).toBe("theme=dark; Path=/; Max-Age=60; SameSite=Lax");
  expect([cookieName(true, "tz"), cookieName(false, "tz")]).toEqual(["__Host-tz", "tz"]);
});
