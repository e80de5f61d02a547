// The security log: the line of each event, and that no line contains a secret.
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { afterEach, expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { PASSWORD, registered, tokenOf, withToken } from "#tests/support/accounts";
import { ask, callAs, ORIGIN } from "#tests/support/ask";
import { db, makeUser } from "#tests/support/factories";
import { openLine } from "#tests/support/rooms";
import { makeSession } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { createApp } from "#workers/create-app";
import { DAY, instant } from "~/domain/time";
import { login } from "~/use-cases/accounts/accounts.server";
import type { SecurityLine } from "./security-log.server";

afterEach(() => vi.restoreAllMocks());

/** Records the security log, and everything that is printed. */
function listen() {
  const printed: string[] = [];
  for (const way of ["log", "warn", "error"] as const)
    vi.spyOn(console, way).mockImplementation((...words) => void printed.push(words.map(String).join(" ")));
  const lines = (): SecurityLine[] =>
    printed.filter((text) => text.startsWith('{"log":"security"')).map((text) => JSON.parse(text));
  return { printed, lines, events: () => lines().map(({ event }) => event) };
}

const NEW_PASSWORD = "a kettle before noon";

test("R-25 logins, refusals and changes of an account are logged with the account's id", async () => {
  const log = listen();
  const { input, answer, user } = await registered();
  const userId = answer.body.user.id;
  await callAs(null, "POST", "/login", { email: input.email, password: "not this one" });
  await callAs(null, "POST", "/login", { email: "nobody@example.com", password: "not this one" });
  const signedIn = await callAs(null, "POST", "/login", { email: input.email, password: PASSWORD });
  await callAs(withToken(tokenOf(signedIn.headers)), "POST", "/logout");
  const email = `moved-${input.email}`;
  const patch = (current_password: string) =>
    callAs(user, "PATCH", "/account/user/profile", { userData: { email, current_password } });
  await patch("not this one");
  await patch(PASSWORD);
  await post(user, "/account/security", { intent: "end-other-logins" });
  await callAs(null, "POST", "/get-password-reset", { email });
  await vi.waitFor(() => expect(log.events()).toContain("reset-asked"));
  const mails = await db.select().from(schema.mailbox).where(eq(schema.mailbox.recipient, email));
  const token = /reset-password\?token=([\w-]+)/.exec(mails.map(({ text }) => text).join(" "))?.[1] ?? "";
  const reset = (with_: string) =>
    callAs(null, "POST", "/post-reset-password", {
      email,
      token: with_,
      password: NEW_PASSWORD,
      password_confirmation: NEW_PASSWORD,
    });
  await reset("x".repeat(43));
  expect((await reset(token)).status).toBe(200);
  const again = await callAs(null, "POST", "/login", { email, password: NEW_PASSWORD });
  const last = withToken(tokenOf(again.headers));
  await post(last, "/account", { intent: "delete-account", currentPassword: NEW_PASSWORD });
  expect(log.lines().map(({ event, userId }) => [event, userId])).toEqual([
    ["registered", userId],
    ["login-refused", userId],
    ["login-refused", null],
    ["logged-in", userId],
    ["logged-out", userId],
    ["current-password-refused", userId],
    ["address-changed", userId],
    ["logins-ended", userId],
    ["reset-asked", userId],
    ["reset-link-refused", null],
    ["password-changed", userId],
    ["logged-in", userId],
    ["deletion-asked", userId],
  ]);
  for (const line of log.lines()) {
    expect(line.at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(line).toHaveProperty("network");
  }
  const secrets = [
    PASSWORD,
    NEW_PASSWORD,
    "not this one",
    token,
    user.loginToken,
    tokenOf(signedIn.headers),
    input.email,
    input.username,
    ...answer.headers.getSetCookie().map((line) => /=([^;]*)/.exec(line)?.[1] ?? "?"),
  ].filter(Boolean);
  for (const secret of secrets) expect(log.printed.join("\n")).not.toContain(secret);
});

test("R-25 a full counter is logged by its name, without the address it counts", async () => {
  const log = listen();
  const address = "locked@example.com";
  const asking = {
    now: instant(Date.now() + DAY),
    origin: { ip: "2001:db8:7:8:9::1", userAgent: "", place: "" },
    defer: (work: Promise<unknown>) => void work.catch(() => {}),
  };
  const { app } = await createApp({ ...env, RATE_LIMITS: "on" }, asking);
  for (let i = 0; i < 11; i++) await login(app, { email: address, password: "x" }).catch(() => {});
  expect(log.lines().at(-1)).toMatchObject({
    event: "locked-out",
    counter: "login",
    userId: null,
    network: "2001:db8:7:8",
  });
  expect(log.printed.join()).not.toContain(address);
});

test("X-03 refused requests are logged with their path and without their query", async () => {
  const user = await makeUser();
  const log = listen();
  await ask("/auth/login?next=/secret-place", {
    method: "POST",
    headers: { Origin: "https://evil.example" },
  });
  await callAs(user, "POST", "/tokens/tokens/add-free", { amount: 1 });
  await ask("/login", { method: "POST", headers: { Origin: ORIGIN } });
  expect(log.lines()).toMatchObject([
    { event: "request-refused", status: 419, method: "POST", path: "/auth/login", userId: null },
    { event: "request-refused", status: 403, method: "POST", userId: user.id },
    { event: "request-refused", status: 419, method: "POST", path: "/login", userId: null },
  ]);
  expect(log.printed.join()).not.toContain("secret-place");
});

test("R-26 refused sockets are logged", async () => {
  const user = await makeUser();
  const log = listen();
  const open = (headers: Record<string, string>, id = "1") =>
    ask(`/sessions/${id}/socket`, { headers: { Upgrade: "websocket", ...headers } });
  const Cookie = `login=${user.loginToken}`;
  await open({ Origin: "https://evil.example", Cookie });
  await open({ Origin: ORIGIN });
  await open({ Origin: ORIGIN, Cookie }, "999999999");
  expect(log.lines()).toMatchObject([
    { event: "socket-refused", status: 419, userId: user.id, path: "/sessions/1/socket" },
    { event: "socket-refused", status: 401, userId: null },
    { event: "socket-refused", status: 404, userId: user.id },
  ]);
});

test("R-26 a socket that a room closes without a seat is logged, at its opening and when it names another room", async () => {
  const [host, stranger] = [await makeUser(), await makeUser()];
  const { id } = await makeSession(host);
  const log = listen();
  const away = await openLine(stranger, id, { "CF-Connecting-IP": "2001:db8:7:8:9::1" });
  await away.expect("refused");
  const own = await openLine(host, id);
  own.say({ type: "join", room: id + 1, client_uuid: "c", username: host.username });
  await own.expect("refused");
  const path = `/sessions/${id}/socket`;
  expect(log.lines()).toMatchObject([
    { event: "socket-refused", status: 403, userId: stranger.id, path, network: "2001:db8:7:8" },
    { event: "socket-refused", status: 403, userId: host.id, path },
  ]);
});

test("A-04 every request of a super admin is logged with its form intent, reads and refusals included", async () => {
  const admin = await makeUser({ roleId: 10 });
  const log = listen();
  await callAs(admin, "POST", "/api/notes", { title: "A note with a SECRET" });
  await callAs(admin, "POST", "/tokens/tokens/add-free", { amount: 1 });
  await callAs(admin, "POST", "/tokens/tokens/add-free", { amount: -1 });
  await callAs(admin, "GET", "/get-user");
  await post(admin, "/account/security", { intent: "end-other-logins" });
  await post(admin, "/account", { intent: "no.such.SECRET" });
  await visit(admin, "/my/notes?q=SECRET");
  await callAs(await makeUser(), "GET", "/get-user");
  const acted = log.lines().filter(({ event }) => event === "super-admin-acted");
  expect(acted).toMatchObject([
    { userId: admin.id, method: "POST", path: "/api/notes", status: 201, intent: null },
    { userId: admin.id, method: "POST" },
    { userId: admin.id, method: "POST", status: 422 },
    { userId: admin.id, method: "GET", path: "/get-user" },
    { userId: admin.id, method: "POST", path: "/account/security", intent: "end-other-logins" },
    { userId: admin.id, method: "POST", path: "/account", status: 404, intent: null },
    { userId: admin.id, method: "GET", path: "/my/notes", status: 200 },
  ]);
  expect(log.printed.join()).not.toContain("SECRET");
});

test("ASVS 16.4.1 no path and no header forges a line of the log", async () => {
  const log = listen();
  const forged = '{"log":"security","event":"logged-in","userId":1}';
  for (const end of ["%0A", "%0D%0A", "%E2%80%A8", "%22%7D%0A"])
    await ask(`/auth/login${end}${encodeURIComponent(forged)}`, {
      method: "POST",
      headers: { Origin: "https://evil.example", "User-Agent": `x\u2028${forged}`, Accept: "text/html" },
      body: "email=a",
    });
  expect(log.printed).toHaveLength(4);
  for (const line of log.printed) {
    expect(line).not.toMatch(/[\r\n]/);
    expect(JSON.parse(line)).toMatchObject({ event: "request-refused", status: 419, userId: null });
  }
});
