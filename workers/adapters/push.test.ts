// The request of a push, decrypted by a second implementation.
import { createECDH, createPublicKey, generateKeyPairSync } from "node:crypto";
import { encryptNotification } from "@block65/webcrypto-web-push";
import { decrypt } from "http_ece";
import { jwtVerify } from "jose";
import { afterEach, expect, test, vi } from "vitest";
import type { Database } from "#db/connect.server";
import { createPush } from "./push";

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
const own = generateKeyPairSync("ec", { namedCurve: "P-256" });
const jwk = own.privateKey.export({ format: "jwk" }) as { x: string; y: string; d: string };
const keys = {
  VAPID_PUBLIC_KEY: base64url(
    Buffer.concat([Buffer.from([4]), Buffer.from(jwk.x, "base64url"), Buffer.from(jwk.y, "base64url")]),
  ),
  VAPID_PRIVATE_KEY: jwk.d,
  VAPID_SUBJECT: "mailto:hut@cabins.dev",
};
const browser = createECDH("prime256v1");
const p256dh = base64url(browser.generateKeys());
const auth = base64url(crypto.getRandomValues(new Uint8Array(16)));
const endpoint = "https://fcm.googleapis.com/fcm/send/abc";
const message = {
  payload: '{"title":"Bothy","body":"Grüße"}',
  ttl: 600,
  key: "7:session-reminder:session:9:1:push",
};

type Sent = { url: string; init: RequestInit };
function pushTo(answer: () => Response) {
  const sent: Sent[] = [];
  const fetchFn = async (url: unknown, init?: RequestInit) => {
    sent.push({ url: String(url), init: init ?? {} });
    return answer();
  };
  const push = createPush(keys, {} as Database, null, fetchFn as typeof fetch);
  if (!push) throw new Error("no push");
  return { sent, post: () => push.post({ endpoint, p256dh, auth }, message) };
}

const NOW = Date.UTC(2026, 10, 21, 9, 30);

test("N-39 a push service gets a payload that only the browser can decrypt, with time, topic and our signature", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  const { sent, post } = pushTo(() => new Response(null, { status: 201 }));
  expect(await post()).toBe("sent");
  const [{ url, init } = { url: "", init: {} }] = sent;
  expect(url).toBe(endpoint);
  expect(init).toMatchObject({ method: "POST", redirect: "manual" });
  const body = Buffer.from(init.body as Uint8Array);
  expect(body.length).toBeLessThanOrEqual(4096);
  expect(decrypt(body, { version: "aes128gcm", privateKey: browser, authSecret: auth }).toString()).toBe(
    message.payload,
  );
  const headers = new Headers(init.headers);
  expect(headers.get("TTL")).toBe("600");
  expect(headers.get("Content-Encoding")).toBe("aes128gcm");
  expect(headers.get("Topic")).toMatch(/^[\w-]{32}$/);
  const [, token = "", key] = /^vapid t=([^,]+), k=(.+)$/.exec(headers.get("Authorization") ?? "") ?? [];
  expect(key).toBe(keys.VAPID_PUBLIC_KEY);
  const { payload } = await jwtVerify(
    token,
    createPublicKey(own.publicKey.export({ format: "pem", type: "spki" })),
  );
  expect(payload).toMatchObject({ aud: "https://fcm.googleapis.com", sub: keys.VAPID_SUBJECT });
  expect((payload.exp ?? 0) - NOW / 1000).toBeLessThanOrEqual(12 * 3600);
  await post();
  expect(new Headers(sent[1]?.init.headers).get("Topic")).toBe(headers.get("Topic"));
});

test.each([
  [201, "sent"],
  [404, "gone"],
  [410, "gone"],
  [429, "later"],
  [503, "later"],
  [400, "refused"],
  [302, "refused"],
])("N-40 the answer %i of a push service means %s", async (status, result) => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const { post } = pushTo(() => new Response(null, { status }));
  expect(await post()).toBe(result);
});

test("N-40 a push service that cannot be reached means later", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const { post } = pushTo(() => {
    throw new TypeError("no network");
  });
  expect(await post()).toBe("later");
});

test("N-39 without all three keys there is no push", () => {
  expect(createPush({ ...keys, VAPID_SUBJECT: "" }, {} as Database, null)).toBeNull();
});

/** RFC 8291, appendix A. */
const RFC = {
  text: "When I grow up, I want to be a watermelon",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
  uaPublic: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  uaPrivate: "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94",
  asPublic: "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
  asPrivate: "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
  salt: "DGv6ra1nlYgDCS1FRnbzlw",
  body: "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
};

test("N-39 the library and the second implementation agree with the vectors of RFC 8291", async () => {
  const ua = createECDH("prime256v1");
  ua.setPrivateKey(Buffer.from(RFC.uaPrivate, "base64url"));
  const read = decrypt(Buffer.from(RFC.body, "base64url"), {
    version: "aes128gcm",
    privateKey: ua,
    authSecret: RFC.auth,
  });
  expect(read.toString()).toBe(RFC.text);

  const point = Buffer.from(RFC.asPublic, "base64url");
  const ecdh = { name: "ECDH", namedCurve: "P-256" };
  const [x, y] = [base64url(point.subarray(1, 33)), base64url(point.subarray(33))];
  const pair = {
    publicKey: await crypto.subtle.importKey("raw", point, ecdh, true, []),
    privateKey: await crypto.subtle.importKey(
      "jwk",
      { kty: "EC", crv: "P-256", x, y, d: RFC.asPrivate },
      ecdh,
      false,
      ["deriveBits"],
    ),
  };
  vi.spyOn(crypto.subtle, "generateKey").mockResolvedValue(pair as never);
  vi.spyOn(crypto, "getRandomValues").mockImplementation((into) => {
    (into as Uint8Array).set(Buffer.from(RFC.salt, "base64url"));
    return into;
  });
  const to = { endpoint, expirationTime: null, keys: { p256dh: RFC.uaPublic, auth: RFC.auth } };
  const written = await encryptNotification(to, new TextEncoder().encode(RFC.text), { pad: false });
  expect(base64url(written)).toBe(RFC.body);
});
