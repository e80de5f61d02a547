// Keys derived from DATA_KEY.
import { expect, test } from "vitest";
import { deriveKey } from "./derived-key";

test("Q-36 a derived key cannot be read, and another use or DATA_KEY has another", async () => {
  const derive = (dataKey: Uint8Array<ArrayBuffer>, info: string) =>
    deriveKey(dataKey, {
      info,
      algorithm: { name: "HMAC", hash: "SHA-256", length: 256 },
      usages: ["sign", "verify"],
    });
  const dataKey = crypto.getRandomValues(new Uint8Array(32));
  const signed = async (key: CryptoKey) =>
    Buffer.from(await crypto.subtle.sign("HMAC", key, new Uint8Array(8))).toString("hex");
  const key = await derive(dataKey, "one");
  expect(key.extractable).toBe(false);
  const others = [
    await derive(dataKey, "two"),
    await derive(crypto.getRandomValues(new Uint8Array(32)), "one"),
  ];
  expect(new Set(await Promise.all([key, ...others].map(signed))).size).toBe(3);
  expect(await signed(await derive(dataKey.slice(), "one"))).toBe(await signed(key));
});
