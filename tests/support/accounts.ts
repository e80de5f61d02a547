// Registers users through the real call and reads the login cookie from the answer.
import { expect } from "vitest";
import { callAs } from "./ask";
import type { TestUser } from "./factories";

export const PASSWORD = "a lantern at dusk";

let count = 0;
export const someone = (over: object = {}) => {
  const username = `ada_${++count}${crypto.randomUUID().slice(0, 6)}`;
  return {
    email: `${username}@example.com`,
    username,
    password: PASSWORD,
    password_confirmation: PASSWORD,
    first_name: "Ada",
    last_name: "Lovelace",
    ...over,
  };
};
/** The Set-Cookie header of the login. */
export const cookieOf = (headers: Headers) =>
  headers.getSetCookie().find((cookie) => /^(__Host-)?login=/.test(cookie)) ?? "";
export const tokenOf = (headers: Headers) => /login=([^;]*)/.exec(cookieOf(headers))?.[1] ?? "";
export const withToken = (loginToken: string) => ({ loginToken }) as TestUser;

/** A user registered just now through the real call. */
export async function registered(over: object = {}) {
  const input = someone(over);
  const answer = await callAs(null, "POST", "/register", input);
  expect(answer.status).toBe(201);
  return { input, answer, user: withToken(tokenOf(answer.headers)) };
}
