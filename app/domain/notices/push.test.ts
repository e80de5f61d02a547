// Which push services are accepted, and what a push carries.
import { expect, test } from "vitest";
import { instant } from "~/domain/time";
import { isPushBox, isPushEndpoint, pushPayload, pushTtlSeconds } from "./push";

test.each([
  ["https://fcm.googleapis.com/fcm/send/a", true],
  ["https://updates.push.services.mozilla.com/wpush/v2/a", true],
  ["https://db5p.notify.windows.com/w/?token=a", true],
  ["https://web.push.apple.com/a", true],
  ["http://fcm.googleapis.com/a", false],
  ["https://fcm.googleapis.com:8443/a", false],
  ["https://user@fcm.googleapis.com/a", false],
  ["https://fcm.googleapis.com.example.com/a", false],
  ["https://evilfcm.googleapis.com/a", false],
  ["https://push.apple.com.evil.dev/a", false],
  ["https://evilpush.apple.com/a", false],
  ["https://127.0.0.1/a", false],
  ["https://fcm.googleapis.com@evil.dev/a", false],
  ["no address", false],
])("N-38 the endpoint %s is accepted: %s", (endpoint, isAccepted) => {
  expect(isPushEndpoint(endpoint)).toBe(isAccepted);
});

test("N-38 the push box is below its own path at our origin", () => {
  expect(isPushBox("http://127.0.0.1:8787/local/push/a", "http://127.0.0.1:8787")).toBe(true);
  expect(isPushBox("http://127.0.0.1:87870/local/push/a", "http://127.0.0.1:8787")).toBe(false);
  expect(isPushBox("http://127.0.0.1:8787/account", "http://127.0.0.1:8787")).toBe(false);
});

test("N-39 a payload has at most 3,000 bytes, and a long body ends in an ellipsis", () => {
  const push = { title: "Bothy", url: "https://hut.cabins.dev/sessions/9", series: null, key: "7:x" };
  expect(JSON.parse(pushPayload({ ...push, body: "Soon." }))).toEqual({
    title: "Bothy",
    url: "https://hut.cabins.dev/sessions/9",
    key: "7:x",
    body: "Soon.",
  });
  const series = "https://hut.cabins.dev/series/evening";
  expect(JSON.parse(pushPayload({ ...push, series, body: "Soon." })).series).toBe(series);
  for (const body of ["x".repeat(9000), "🏔".repeat(3000), '"'.repeat(4000)]) {
    const written = pushPayload({ ...push, body });
    expect(new TextEncoder().encode(written).length).toBeLessThanOrEqual(3000);
    expect(JSON.parse(written).body).toMatch(/.…$/u);
  }
});

test("N-39 a push is kept until the session starts, a day at most", () => {
  const now = instant(1_000_000_000);
  expect(pushTtlSeconds(now, instant(now + 600_500))).toBe(600);
  expect(pushTtlSeconds(now, instant(now - 1))).toBe(0);
  expect(pushTtlSeconds(now, instant(now + 9e9))).toBe(86_400);
  expect(pushTtlSeconds(now, null)).toBe(86_400);
});
