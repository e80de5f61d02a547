// Browsers that receive pushes: their keys, their subscription, and what a push service is given for them.
import { createECDH } from "node:crypto";
import { expect } from "vitest";
import type { App } from "~/use-cases/app.server";
import { callAs } from "./ask";
import type { TestUser } from "./factories";

const newKeys = () => {
  const p256dh = createECDH("prime256v1").generateKeys().toString("base64url");
  const auth = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64url");
  return { p256dh, auth };
};
export const subscription = (endpoint = `https://fcm.googleapis.com/fcm/send/${crypto.randomUUID()}`) => ({
  endpoint,
  keys: newKeys(),
});

/** Subscribes the browser of this login, and returns the address at its push service. */
export async function subscribeBrowser(user: TestUser, endpoint?: string): Promise<string> {
  const body = subscription(endpoint);
  const answer = await callAs(user, "POST", "/account/push", body);
  expect([answer.status, answer.body]).toEqual([201, { endpoint: body.endpoint }]);
  return body.endpoint;
}

/** Gives an App a push service; the texts that it gets, each with its address. */
export function recordPushes(app: App): { endpoint: string; text: string }[] {
  const pushes: { endpoint: string; text: string }[] = [];
  app.push = {
    publicKey: "key",
    post: async ({ endpoint }, { payload }) => {
      pushes.push({ endpoint, text: JSON.parse(payload).body });
      return "sent";
    },
  };
  return pushes;
}
