// The vault signs links and encrypts texts under the current key, and reads those of earlier keys.
import { expect, test } from "vitest";
import { createVault } from "./vault";

const keyOf = (byte: number) => btoa(String.fromCharCode(...new Uint8Array(32).fill(byte)));
const vaultOf = (...bytes: number[]) => {
  const vault = createVault({ DATA_KEY: bytes.map(keyOf).join(" ") }, false);
  if (!vault) throw new Error("No vault.");
  return vault;
};

test("N-31 a signature holds for its own text, also under a key that is no longer the current one", async () => {
  const signature = await vaultOf(1).sign("unsubscribe 7");
  expect(signature).toMatch(/^[\w-]{43}$/);
  for (const vault of [vaultOf(1), vaultOf(2, 1)]) {
    expect(await vault.verify("unsubscribe 7", signature)).toBe(true);
    expect(await vault.verify("unsubscribe 8", signature)).toBe(false);
  }
  expect(await vaultOf(2).verify("unsubscribe 7", signature)).toBe(false);
});

test.each(["", "short", `${"a".repeat(42)}=`, "a".repeat(44), "ä".repeat(43)])(
  "N-31 %j is no signature",
  async (text) => {
    expect(await vaultOf(1).verify("unsubscribe 7", text)).toBe(false);
  },
);

test("Q-36 a sealed text opens in its own context only, also under a key that is no longer the current one", async () => {
  const sealed = await vaultOf(1).seal("the secret", "user 7");
  expect(sealed).not.toContain("secret");
  expect(await vaultOf(2, 1).open(sealed, "user 7")).toBe("the secret");
  expect(await vaultOf(1).open(sealed, "user 8")).toBeNull();
  expect(await vaultOf(2).open(sealed, "user 7")).toBeNull();
});
