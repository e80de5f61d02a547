// The pages of a guest: none of their links and forms answers FORBIDDEN (H-19).
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { db, makeUser, makeUsers, type TestUser } from "#tests/support/factories";
import { seated } from "#tests/support/guests";
import { useRoomClock } from "#tests/support/rooms";
import { makeSeries, openOf, restSeries } from "#tests/support/series";
import { join, leave, makeActivity, makeHut, makePost, sayIn, setSession } from "#tests/support/sessions";
import { post, type Visited, visit } from "#tests/support/visit";
import { admitToForm, mayGuestVisit } from "~/domain/guest-rights";

useRoomClock();
beforeEach(restSeries);

const TABS = ["", "/goals", "/member-goals", "/logs", "/hut", "/chat", "/recap"];
const INTENTS = 'form[method="post"] input[name="intent"], form[method="post"] button[name="intent"]';

/** The offers of a page that a guest of session `id` may not take. */
async function refusedOn(page: Visited, id: number, path: string): Promise<string[]> {
  const guest = { guestOf: id };
  const links = await page.allWithoutScripts("a[href]");
  const forms = await page.allWithoutScripts("form");
  const intents = await page.allWithoutScripts(INTENTS);
  const isOurs = (address: string) =>
    !/^[?#]/.test(address) && new URL(address, "http://here").origin === "http://here";
  // Signing in opens over every address.
  const isFor = (address: string) =>
    address.includes("?auth=") || mayGuestVisit(guest, new URL(address, `http://here${path}`).pathname);
  const admits = (intent: string) => {
    try {
      admitToForm(guest, intent);
      return true;
    } catch {
      return false;
    }
  };
  return [
    ...links
      .filter(({ attributes: { href = "" } }) => isOurs(href) && !isFor(href))
      .map(({ text, attributes }) => `link ${text} to ${attributes.href}`),
    ...forms
      .filter(({ attributes: { action = "" } }) => !isFor(action))
      .map(({ attributes }) => `form to ${attributes.action}`),
    ...intents
      .filter(({ attributes: { value = "" } }) => !admits(value))
      .map(({ attributes }) => `form ${attributes.value}`),
  ];
}

/** A session of a series, in a hut, of an activity, with a goal, a post, a line, an answer and a contribution of a member. */
async function fullHouse() {
  const [host, member] = [await makeUser({ tokens: 5000 }), ...(await makeUsers(1))] as [TestUser, TestUser];
  const [hut, activity] = [await makeHut(host), await makeActivity(host)];
  const tasks = [
    { title: "Read", unit: "pages", amount: 20, items: [{ uuid: "a", title: "Choose", x: 0 }], is_list: 1 },
  ];
  const [date] = await openOf(
    await makeSeries(host, {}, { tasks, meeting_link: "https://call.example/room" }),
  );
  if (!date) throw new Error("no date");
  await setSession(date.id, { guestLimit: 5, hutId: hut.id, activityId: activity.id });
  await join(member, date.id);
  return { host, member, id: date.id, slug: date.slug, path: `/sessions/${date.id}` };
}

test("H-19 no link and no form on the pages of a guest is FORBIDDEN to them, before, during and after the session", {
  timeout: 120_000,
}, async () => {
  const { host, member, id, slug, path } = await fullHouse();
  const guest = await seated(path, "Ada");
  await makePost(member, { sessionId: id });
  const offers: string[] = [];
  const seen: string[] = [];
  const look = async (phase: string) => {
    for (const tab of TABS) {
      const page = await visit(guest, `${path}${tab}`);
      if (page.status !== 200) continue;
      seen.push(`${phase} ${tab}`);
      offers.push(...(await refusedOn(page, id, path)).map((one) => `${phase} ${tab}: ${one}`));
    }
  };
  await look("waiting");
  await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  await callAs(member, "POST", `/challenge-events/${id}/aim`, { aim: "Read a book" });
  await callAs(member, "PUT", `/challenges/${slug}/contribute-content`, { content: "More" });
  await sayIn(member, id);
  await look("running");
  await leave(guest, id);
  await look("left");
  await join(guest, id);
  await callAs(host, "POST", `/challenge-events/${id}/end`, {});
  await look("ended");
  const forbidden = await visit(guest, "/my/goals");
  offers.push(...(await refusedOn(forbidden, id, "/my/goals")).map((one) => `error: ${one}`));
  expect(forbidden.status).toBe(403);
  expect([...new Set(offers)]).toEqual([]);
  expect(seen).toHaveLength(4 * (TABS.length - 1));
});

test("H-19 E-27 without JavaScript a guest logs progress for a goal of the session and ticks its list", async () => {
  const { host, id, path } = await fullHouse();
  const guest = await seated(path, "Ada");
  await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  const page = await visit(guest, `${path}/goals`);
  const [goal = ""] = (await page.all('form input[name="goal"]')).map(({ attributes }) => attributes.value);
  const statuses = [];
  const forms: Record<string, string>[] = [
    { intent: "log.quick", goal, button: "" },
    { intent: "list.tick", goal, ticked: "a" },
    { intent: "log.begin", goal },
  ];
  for (const form of forms) statuses.push((await post(guest, `${path}/goals`, form)).status);
  const logs = await db.select().from(schema.logs).where(eq(schema.logs.userId, guest.id));
  const ticked = await dataOf(guest, `/api/sessions/${id}/goals`);
  expect(statuses).toEqual([302, 302, 302]);
  expect(logs.map(({ sessionId }) => sessionId)).toEqual([id, id]);
  expect(ticked.goals[0].items).toMatchObject([{ uuid: "a", x: 1 }]);
  const open = String(logs.at(-1)?.id);
  expect((await post(guest, `${path}/goals`, { intent: "log.stop", log: open })).status).toBe(302);
  expect((await post(guest, `${path}/goals`, { intent: "log.delete", log: open })).status).toBe(302);
  expect((await post(guest, `${path}/goals`, { intent: "task.copy", part: goal })).status).toBe(403);
});
