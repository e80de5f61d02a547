// Leaving before the start, through HTTP and with the time as a parameter.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { connect } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, makeUser, type TestUser } from "#tests/support/factories";
import { balanceOf, makeSession, seatsOf } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";
import { wrappedD1 } from "#tests/support/wrapped-d1";
import { DAY, HOUR, instant, MINUTE } from "~/domain/time";
import { joinSession, leaveSession } from "./people.server";
import { resetSession } from "./run.server";
import { updateSession } from "./update.server";

const isoAt = (at: number) => new Date(at).toISOString();
/** A session with a start in so many milliseconds, its host, and a guest who has just joined. */
async function joined(ahead: number | null, over: Record<string, unknown> = {}) {
  const [host, guest] = [await makeUser(), await makeUser()];
  // Whole seconds, as the calls answer them.
  const startedAt = ahead === null ? null : instant(Math.ceil((Date.now() + ahead) / 1000) * 1000);
  const plan = startedAt === null ? {} : { is_manually_started: 0, started_at: isoAt(startedAt) };
  const { id, path } = await makeSession(host, { ...plan, ...over });
  await joinSession(await appOf(guest), { session: id });
  const leaveAt = async (now: number) =>
    leaveSession({ ...(await appOf(guest)), now: instant(now) }, { session: id });
  const update = async (change: Omit<Parameters<typeof updateSession>[1], "session">) =>
    updateSession(await appOf(host), { session: id, ...change });
  return { host, guest, id, path, startedAt: startedAt as ReturnType<typeof instant>, leaveAt, update };
}
const lost = async (user: TestUser) => 1000 - (await balanceOf(user));

keepBystanders();

test("R-64 leaving an hour before the start returns the token, a minute later it does not", async () => {
  const early = await joined(DAY);
  await early.leaveAt(early.startedAt - HOUR);
  expect([await lost(early.guest), (await seatsOf(early.id)).length]).toEqual([0, 1]);
  const late = await joined(DAY);
  await late.leaveAt(late.startedAt - HOUR + MINUTE);
  expect([await lost(late.guest), (await seatsOf(late.id)).length]).toEqual([100, 1]);
});

test("R-64 a repeated leave returns the token once", async () => {
  const { guest, id, leaveAt, startedAt } = await joined(DAY);
  await Promise.all(Array.from({ length: 5 }, () => leaveAt(startedAt - 2 * HOUR)));
  expect(await lost(guest)).toBe(0);
  await joinSession(await appOf(guest), { session: id });
  expect(await lost(guest)).toBe(100);
});

test("R-64 B-07 where joining is free, the token returns to the host who paid", async () => {
  const { host, guest, leaveAt, startedAt } = await joined(DAY, { is_free: 1 });
  expect([await lost(host), await lost(guest)]).toEqual([200, 0]);
  await leaveAt(startedAt - 2 * HOUR);
  expect([await lost(host), await lost(guest)]).toEqual([100, 0]);
});

test("R-64 late, the token returns when the start moved by more than 15 minutes after the joining", async () => {
  for (const [move, isLost] of [
    [16 * MINUTE, 0],
    [14 * MINUTE, 100],
  ] as const) {
    const { guest, leaveAt, startedAt, update } = await joined(DAY);
    await update({ startedAt: instant(startedAt + move) });
    await leaveAt(startedAt + move - MINUTE);
    expect(await lost(guest)).toBe(isLost);
  }
});

test("R-64 late, the token returns when the start was given, or taken away and given again", async () => {
  const { guest, leaveAt, startedAt, update } = await joined(DAY);
  await update({ startedAt: null, isManuallyStarted: true });
  await update({ startedAt, isManuallyStarted: false });
  await leaveAt(startedAt - MINUTE);
  expect(await lost(guest)).toBe(0);
});

test("R-64 R-65 late, the token returns when a reset took the start away and it was given again", async () => {
  const { guest, id, leaveAt, startedAt, update } = await joined(DAY);
  await resetSession(await appOf(await makeUser({ roleId: 10 })), { session: id });
  await update({ startedAt, isManuallyStarted: false });
  await leaveAt(startedAt - MINUTE);
  expect(await lost(guest)).toBe(0);
});

test("R-64 a session without a start returns the token always, and a running one never", async () => {
  const waiting = await joined(null);
  await waiting.leaveAt(Date.now());
  expect(await lost(waiting.guest)).toBe(0);
  const running = await joined(null);
  await callAs(running.host, "POST", `/challenge-events/${running.id}/start`, {});
  await running.leaveAt(Date.now() + MINUTE);
  expect([await lost(running.guest), (await seatsOf(running.id)).length]).toEqual([100, 1]);
});

test("R-64 a start that comes nearer while somebody leaves decides again", async () => {
  const { guest, id, startedAt, update } = await joined(DAY);
  let isMoved = false;
  const moves = wrappedD1(env.DB, {
    one: (_, __, ask) => ask(),
    batch: async (_, ask) => {
      if (!isMoved) {
        isMoved = true;
        await update({ startedAt: instant(startedAt - 10 * MINUTE) });
      }
      return ask();
    },
  });
  const app = { ...(await appOf(guest)), now: instant(startedAt - 65 * MINUTE), db: connect(moves) };
  await leaveSession(app, { session: id });
  expect([await lost(guest), (await seatsOf(id)).length]).toEqual([100, 1]);
});

test("R-64 a removal by the host returns the token up to the start", async () => {
  const { host, guest, id } = await joined(10 * MINUTE);
  const gone = await callAs(host, "DELETE", `/challenge-events/${id}/participants/${guest.username}`);
  expect([gone.status, await lost(guest)]).toEqual([204, 0]);
});

test("R-64 the dialog says before whether the token returns", async () => {
  const early = await joined(DAY);
  expect((await visit(early.guest, early.path)).html).toContain("You get the token back.");
  const late = await joined(30 * MINUTE);
  expect((await visit(late.guest, late.path)).html).toContain(
    "The token is not returned, because the session starts in less than an hour.",
  );
});

test("R-64 token rates and terms say when a token comes back", async () => {
  expect((await visit(null, "/tokens")).html).toContain("When does a token come back?");
  expect((await visit(null, "/terms-of-service")).html).toContain("an hour or more before the start");
});
