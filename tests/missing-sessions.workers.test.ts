// A session that does not exist must get no room: any call to a Durable Object creates it for good.
import { listDurableObjectIds } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { api } from "#workers/api";
import { asDeployed } from "./support/as-deployed";
import { ask, callAs, ORIGIN } from "./support/ask";
import { makeUser, type TestUser } from "./support/factories";
import { filled, pageRoutes } from "./support/route-table";
import { makeSession, sayIn } from "./support/sessions";
import { visit } from "./support/visit";

asDeployed();

const MISSING = "987654";
const UNSEEN = "987655";
const roomCount = async (): Promise<number> => (await listDurableObjectIds(env.ROOMS)).length;
const upgrade = (path: string, user: TestUser | null) =>
  ask(path, {
    headers: {
      Upgrade: "websocket",
      Origin: ORIGIN,
      ...(user ? { Cookie: `login=${user.loginToken}` } : {}),
    },
  });

test("R-26 the socket of a missing session is refused and creates no room", async () => {
  const user = await makeUser();
  const before = await roomCount();
  for (const id of [MISSING, "999999999999999", "0", "007", "-1", "1.5", "x"])
    for (const path of [`/sessions/${id}/socket`, `/sessions/${id}/socket?watch=1`])
      expect([path, (await upgrade(path, user)).status]).toEqual([path, 404]);
  expect((await upgrade(`/sessions/${MISSING}/socket?watch=1`, null)).status).toBe(404);
  expect(await roomCount()).toBe(before);
});

test("P-31 no page and no call creates a room for a missing session", async () => {
  const user = await makeUser();
  const before = await roomCount();
  const pages = pageRoutes().filter(({ path }) => /^\/(sessions|events)\//.test(path));
  expect(pages.length).toBeGreaterThanOrEqual(8);
  for (const { path } of pages)
    for (const who of [null, user]) {
      const address = filled(path, { session: UNSEEN, event: UNSEEN });
      await visit(who, address);
      await visit(who, `${address}?before=5`);
    }
  const calls = api.filter(({ call }) => /\{(session|event|challenge)\w*\}/.test(call.path));
  expect(calls.length).toBeGreaterThan(20);
  for (const { call } of calls)
    await callAs(
      user,
      call.method,
      call.path.replace(/\{\w+\}/g, UNSEEN),
      call.method === "GET" ? undefined : {},
    );
  expect((await sayIn(user, Number(UNSEEN))).status).toBe(404);
  expect(await roomCount()).toBe(before);
});

test("P-31 the page of an existing session calls its room", async () => {
  const { id } = await makeSession(await makeUser());
  expect((await visit(null, `/sessions/${id}`)).status).toBe(200);
  const made = (await listDurableObjectIds(env.ROOMS)).map(String);
  expect(made).toContain(String(env.ROOMS.idFromName(String(id))));
});
