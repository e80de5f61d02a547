// No statement asks for a role of the site: the viewer of a request carries the right.
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const ASKS = /\brole_id\b|\b(?:eq|ne|gt|gte|lt|lte|inArray)\(\s*(?:\w+\.)*roleId\b|\$\{(?:\w+\.)*roleId\}/;

test("R-94 no statement asks for the role of a user", () => {
  const files = globSync(["db/queries/**/*.ts", "app/use-cases/**/*.ts"]).filter(
    (path) => !path.includes(".test."),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((path) => ASKS.test(readFileSync(path, "utf8")))).toEqual([]);
  expect(ASKS.test("seen_user.role_id = 10")).toBe(true);
  expect(ASKS.test("where(eq(users.roleId, USER_ROLE.superAdmin))")).toBe(true);
});
