// A chat block as the person sees it: not spent in the header, named by a refusal, and gone with the return (B-13).
import { expect, test } from "vitest";
import { callAs } from "#tests/support/ask";
import { appOf, makeUser, type TestUser } from "#tests/support/factories";
import { actorOf, partsOf, runningRoom, stubOf, useRoomClock } from "#tests/support/rooms";
import { makeHut, setSession } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { viewLedger } from "~/use-cases/payments/purchases.server";
import { viewShell } from "~/use-cases/shell.server";

useRoomClock();

const headerOf = async (user: TestUser) => {
  const { viewer } = await viewShell(await appOf(user));
  return viewer && [viewer.headerTokens, viewer.balance];
};
const say = (id: number, user: TestUser, nonce: string) =>
  stubOf(id).change(id, { type: "say", by: actorOf(user), content: nonce, nonce });

test("B-11 B-13 the header counts a chat's reserve as not spent, and the account names it", async () => {
  const [host, guest] = [await makeUser(), await makeUser({ tokens: 350 })];
  const { id } = await runningRoom([host, guest], partsOf(600), 1200);
  expect(await headerOf(guest)).toEqual([3.5, "3.5 tokens"]);
  await say(id, guest, "one");
  expect(await headerOf(guest)).toEqual([3.5, "2.5 tokens, and 1 reserved for chat"]);
  expect((await viewLedger(await appOf(guest), {})).reserves).toMatchObject([{ amount: 100 }]);
  // The first block has five lines left, so the second is reserved; the first counts as spent.
  for (let n = 0; n < 96; n++) await say(id, guest, `line ${n}`);
  expect(await headerOf(guest)).toEqual([2.5, "1.5 tokens, and 1 reserved for chat"]);
  await callAs(guest, "POST", `/api/challenge-events/${id}/leave`);
  await expect.poll(() => headerOf(guest)).toEqual([2.53, "2.53 tokens"]);
});

test("B-13 R-12 a refusal for want of tokens names the chat that holds some, in calls and in forms", async () => {
  const [host, guest] = [await makeUser(), await makeUser({ tokens: 150 })];
  const { id } = await runningRoom([host, guest], partsOf(600), 1200);
  await say(id, guest, "one");
  const sentence =
    "You have 0.5 tokens. A further 1 is reserved for the chat of “A session”. The unused part is refunded when you leave or the session ends.";
  const { status, body } = await callAs(guest, "POST", "/api/goals/store", {
    challenge: { tasks: [{ title: "Too dear" }] },
  });
  expect([status, body.error_code, body.lacks_tokens, body.error]).toEqual([
    402,
    "INSUFFICIENT_TOKENS",
    "reserve",
    sentence,
  ]);
  const page = await post(guest, "/my/goals", { intent: "goal.create", title: "Too dear" });
  expect(page.html).toContain(sentence);
});

test("B-11 B-13 the account names each of two chats of one title in one hut, and links to each", async () => {
  const [host, guest] = [await makeUser(), await makeUser({ tokens: 350 })];
  const hut = await makeHut(host, [guest]);
  const ids: number[] = [];
  for (const line of ["one", "two"]) {
    const { id } = await runningRoom([host, guest], partsOf(600), 1200);
    await setSession(id, { hutId: hut.id });
    await say(id, guest, line);
    ids.push(id);
  }
  const { reserves } = await viewLedger(await appOf(guest), {});
  expect(reserves).toEqual(ids.map((sessionId) => ({ sessionId, title: "A session", amount: 100 })));
  const { html } = await visit(guest, "/account/tokens");
  for (const id of ids) expect(html).toContain(`href="/sessions/${id}">A session</a>`);
});
