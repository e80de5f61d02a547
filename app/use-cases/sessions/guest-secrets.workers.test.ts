// Pages, files, JSON and the socket give a guest no secret of the session or of other people (H-19, H-26).
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { ask, callAs } from "#tests/support/ask";
import { fillTables } from "#tests/support/every-row";
import { db, makeUser, setUser, type TestUser, testApp } from "#tests/support/factories";
import { joinRoom, useRoomClock } from "#tests/support/rooms";
import { join, makeSession, sayIn, setSession } from "#tests/support/sessions";
import { post } from "#tests/support/visit";
import { DAY, instant } from "~/domain/time";

useRoomClock();

const CODE = "planted-code";
const CALL = "https://planted.example/call";
/** The rows of `fillTables` name table and column between these signs. */
const OF_A_ROW = "«";

/** The rows of `fillTables` have lots without entries, so the check of `balanceOf` is not for them. */
async function tokensOf(id: number): Promise<number> {
  const lots = await db.select().from(schema.tokenLots).where(eq(schema.tokenLots.userId, id));
  return lots.reduce((sum, { remaining }) => sum + remaining, 0);
}

async function guestOf(path: string, name: string): Promise<TestUser> {
  const answer = await post(null, path, { intent: "sit-in", name, joinCode: CODE });
  const cookie = answer.headers.getSetCookie().find((one) => one.startsWith("login=")) ?? "";
  const loginToken = /^login=([^;]+)/.exec(cookie)?.[1] ?? "";
  const { user } = await testApp({ loginToken, now: instant(Date.now()) });
  if (!user) throw new Error(`no seat: ${answer.status}`);
  return { id: user.id, personId: user.personId, username: user.username, email: user.email, loginToken };
}

/** Every page, file and JSON answer that names the session, and those that a guest is refused, with their headers. */
async function receivedBy(guest: TestUser, { id, slug }: { id: number; slug: string }, others: TestUser[]) {
  const own = [
    "",
    "/goals",
    "/member-goals",
    "/logs",
    "/hut",
    "/chat",
    "/recap",
    "/people",
    "/calendar.ics",
    "/stage",
  ];
  const places = [
    ...own.flatMap((tab) => [`/sessions/${id}${tab}`, `/api/sessions/${id}${tab}`]),
    ...["", ".data"].map((end) => `/account/report/session/${id}${end}`),
    `/sessions/${id}.data`,
    `/embed/sessions/${id}`,
    `/api/challenges/${slug}`,
    `/events/${id}/update`,
    ...[
      "/",
      "/events",
      "/groups",
      "/my/goals",
      "/my/notices",
      "/account",
      "/auth/register",
      "/about",
      "/?q=planted",
    ],
    ...["/get-user", "/api/home", "/api/my/goals", "/api/my/notices", "/api/my/series", "/api/my/export"],
    ...others.flatMap(({ username }) => [`/${username}`, `/api/${username}`]),
  ];
  const texts: [where: string, text: string][] = [];
  for (const place of places) {
    const answer = await ask(place, { headers: { Cookie: `login=${guest.loginToken}` } });
    texts.push([place, `${JSON.stringify([...answer.headers])}${await answer.text()}`]);
  }
  const line = await joinRoom(guest, id);
  for (const type of ["typing", "people"] as const) line.socket.send(JSON.stringify({ type }));
  await sayIn(guest, id, "A line");
  texts.push(["socket", JSON.stringify(line.heard)]);
  return texts;
}

test("H-19 H-26 nothing that a guest receives holds a code, an address, an email, a balance or things of other people", {
  timeout: 120_000,
}, async () => {
  // Balances that no other number of a page is equal to by chance.
  const rich = (tokens: number) => makeUser({ tokens });
  const [host, friend, muted] = [await rich(43_217), await rich(65_431), await rich(87_653)];
  await setUser(host.id, { lastName: "Plantedlast" });
  await fillTables(host, await makeUser());
  await fillTables(friend, await makeUser());
  const session = await makeSession(host, { join_code: CODE, meeting_link: CALL });
  const { id, path } = session;
  await setSession(id, {
    guestLimit: 5,
    startedAt: instant(Date.now() + DAY),
    endedAt: instant(Date.now() + DAY + 3_600_000),
  });
  for (const user of [friend, muted]) await join(user, id, CODE);
  const guest = await guestOf(path, "Ada");
  const others = [host, friend, muted];
  const found: string[] = [];
  const look = async (phase: string, more: readonly string[]) => {
    const balances = await Promise.all(others.map(({ id }) => tokensOf(id)));
    const secrets = [
      ...[CODE, OF_A_ROW, "Plantedlast", ...more],
      ...others.flatMap(({ email, loginToken }) => [email, loginToken]),
      ...balances
        .flatMap((cents) => [`${cents / 100}`, `"tokens":${cents}`])
        .filter((text) => text.includes(".") || text.includes(":")),
    ];
    const received = await receivedBy(guest, session, others);
    const told = received.filter(([, text]) => text.includes(host.username)).map(([where]) => where);
    expect(told).toEqual(expect.arrayContaining([path, `/api/sessions/${id}`, "socket"]));
    for (const [where, text] of received)
      for (const secret of secrets) if (text.includes(secret)) found.push(`${phase} ${where}: ${secret}`);
  };
  // A day before the start the call is closed to everybody but the host (G-38).
  await look("before", [CALL]);
  await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  await callAs(host, "PATCH", `/challenge-events/${id}/participants/${muted.username}`, {
    mute: 300,
    reason: "Plantedmute",
  });
  const removed = await sayIn(host, id, "Plantedline");
  await callAs(host, "DELETE", `/api/sessions/${id}/messages/${removed.body.message.seq}`);
  const kept = await sayIn(host, id, "A reported line");
  await callAs(friend, "POST", "/api/reports", {
    kind: "message",
    id: `${id}:${kept.body.message.seq}`,
    reason: "spam",
    text: "Plantedreport",
  });
  await look("running", ["Plantedmute", "Plantedline", "Plantedreport"]);
  vi.setSystemTime(Date.now() + 600_000);
  await callAs(host, "POST", `/challenge-events/${id}/end`, {});
  await look("after", [CALL, "Plantedmute", "Plantedline", "Plantedreport"]);
  expect(found).toEqual([]);
});
