// The link to the next page of notices.
import { expect, test } from "vitest";
import { OlderNoticesLink } from "./older-notices-link";

test("N-10 the link to older notices loads nothing before it is pressed", () => {
  expect(OlderNoticesLink({ after: "e0mxyz+1" }).props).toMatchObject({
    to: "?after=e0mxyz%2B1",
    prefetch: "none",
  });
});
