// The only path of a request.
import { expect, test } from "vitest";
import { withNormalPath } from "./address-bounds";

test.each([
  ["/get%2Duser", "/get-user"],
  ["/%67et-user?a=%2D", "/get-user?a=%2D"],
  ["/api/m%79/goals", "/api/my/goals"],
  ["/group/a%2fb", "/group/a%2Fb"],
  ["/caf%c3%a9", "/caf%C3%A9"],
  ["/my/goals", "/my/goals"],
])("O-05 the request for %s goes on as %s", (asked, expected) => {
  const request = new Request(`https://bothy.test${asked}`, {
    method: "POST",
    body: "x",
    headers: { "X-A": "1" },
  });
  const canonical = withNormalPath(request);
  expect(canonical.url).toBe(`https://bothy.test${expected}`);
  expect([canonical.method, canonical.headers.get("X-A")]).toEqual(["POST", "1"]);
});
