// Buttons, notices and figures of a session's pages that depend on the reader or on the progress.
import { expect, test } from "vitest";
import { callAs } from "#tests/support/ask";
import { makeUser } from "#tests/support/factories";
import { makeSession, stageSession } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";

test("C-72 the donation link is on the page of everybody but the host", async () => {
  const { host, guest, session } = await stageSession({ donation_link: "https://example.com/thanks" });
  const hasLink = async (user: typeof host | null) =>
    Object.values(await (await visit(user, session.path)).links()).includes("https://example.com/thanks");
  expect(await Promise.all([host, guest, null].map(hasLink))).toEqual([false, true, true]);
});

test("S-16 the host of a template is no host on its page", async () => {
  const [root, host] = [await makeUser({ roleId: 10 }), await makeUser()];
  const [template, own] = [await makeSession(root, { is_preset: 1 }), await makeSession(host)];
  const texts = async (user: typeof host, path: string) => (await visit(user, path)).texts("main button");
  expect(await texts(host, own.path)).toContain("Delete");
  expect(await texts(root, template.path)).not.toContain("Leave");
});

test("M-30 the forum says to people without a seat how to write, and nothing to the others", async () => {
  const { host, guest, session } = await stageSession();
  const noticesOf = async (user: typeof host | null) =>
    (await (await visit(user, `${session.path}/hut`)).texts("main")).join();
  const sentences = ["Join the session to write here.", "Please sign in to use that feature."];
  const shown = async (user: typeof host | null) => {
    const text = await noticesOf(user);
    return sentences.map((sentence) => text.includes(sentence));
  };
  expect(await shown(host)).toEqual([false, false]);
  expect(await shown(guest)).toEqual([false, false]);
  expect(await shown(await makeUser())).toEqual([true, false]);
  expect(await shown(null)).toEqual([false, true]);
});

test("U-44 the progress of a member's goal is shown up to 100 per cent", async () => {
  const { host, guest, session, event } = await stageSession({ tasks: [{ title: "Read", amount: 10 }] });
  await event(host, "/start");
  const { goals } = (await callAs(host, "GET", `/api/sessions/${session.id}`)).body.serverData;
  const log = (user: typeof host, amount: number) =>
    callAs(user, "POST", `/challenge-events/${session.id}/logs`, { task_uuid: goals[0].uuid, amount });
  for (const [user, amount] of [
    [host, 4],
    [guest, 25],
  ] as const)
    expect((await log(user, amount)).status).toBe(201);
  const page = await visit(host, `${session.path}/member-goals`);
  const text = (await page.texts("main")).join();
  expect(text.match(/\d+ %/g)?.sort()).toEqual(["0 %", "100 %", "40 %"]);
});
