// Buttons, notices and figures of a session's pages that depend on the reader or on the progress.
import { expect, test } from "vitest";
import { callAs } from "#tests/support/ask";
import { makeUser } from "#tests/support/factories";
import { stageSession } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";

test("A-09 the donation link is on the page of everybody but the host", async () => {
  const { host, guest, session } = await stageSession({ donation_link: "https://example.com/thanks" });
  const hasLink = async (user: typeof host | null) =>
    Object.values(await (await visit(user, session.path)).links()).includes("https://example.com/thanks");
  expect(await Promise.all([host, guest, null].map(hasLink))).toEqual([false, true, true]);
});

test("R-16 M-27 the forum says to people without a seat how to write, and nothing to the others", async () => {
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

test("P-33 the progress of a member's goal is shown up to 100 per cent", async () => {
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
