// The meeting link and the join link of a session.
import { expect, test } from "vitest";
import { callAs, dataOf } from "#tests/support/ask";
import { makeUsers, type TestUser } from "#tests/support/factories";
import { ROOM_NOW, useRoomClock } from "#tests/support/rooms";
import { join, makeSession } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";
import { MINUTE } from "~/domain/time";

const at = useRoomClock();
const MEETING = "https://meet.example.com/room-7?pwd=quiet";

test("G-38 only participants see the meeting link, from 30 minutes before the start until the end", async () => {
  const [host, guest, waiter, stranger] = await makeUsers(4);
  const startsAt = ROOM_NOW + 90 * MINUTE;
  const { id } = await makeSession(host, {
    is_manually_started: 0,
    started_at: new Date(startsAt).toISOString(),
    duration: 3600,
    participant_limit: 2,
    meeting_link: MEETING,
  });
  await join(guest, id);
  expect((await callAs(waiter, "POST", `/challenge-events/${id}/wait`, {})).status).toBe(200);
  const linkFor = async (user: TestUser | null) =>
    (await dataOf(user, `/api/sessions/${id}`)).session.meeting_link;
  const others = async () => [await linkFor(null), await linkFor(waiter), await linkFor(stranger)];
  const seen: unknown[] = [];
  for (const minutes of [59.999, 60, 149.999, 150]) {
    at(ROOM_NOW + minutes * MINUTE);
    seen.push(await linkFor(guest));
    expect(await others()).toEqual([null, null, null]);
  }
  expect(seen).toEqual([null, MEETING, MEETING, null]);
  at(ROOM_NOW);
  expect(await linkFor(host)).toBe(MEETING);
  at(ROOM_NOW + 70 * MINUTE);
  expect((await visit(guest, `/sessions/${id}`)).html).toContain("Join the call");
  for (const user of [null, waiter, stranger])
    expect((await visit(user, `/sessions/${id}`)).html).not.toContain("meet.example.com");
});

test("G-38 a meeting link is an https address of up to 500 characters, set by the host", async () => {
  const [host, guest] = await makeUsers(2);
  const make = (meeting_link: string) =>
    callAs(host, "POST", "/challenge-events", {
      challenge: { title: "Call", is_manually_started: 1, duration: 600, meeting_link },
    });
  for (const wrong of [
    "http://meet.example.com",
    "meet.example.com",
    "javascript:alert(1)",
    `https://m.example/${"x".repeat(500)}`,
  ]) {
    const { status, body } = await make(wrong);
    expect([status, Object.keys(body.fields)], wrong).toEqual([422, ["meeting_link"]]);
  }
  const { status, body } = await make(`https://m.example/${"x".repeat(482)}`);
  expect([status, body.challenge_event.meeting_link.length]).toEqual([201, 500]);
  const event = `/challenge-events/${body.challenge_event.id}`;
  await callAs(guest, "POST", `${event}/join`, {});
  await callAs(host, "PATCH", `${event}/participants/${guest.username}`, { role: 1 });
  const change = (user: TestUser) =>
    callAs(user, "PATCH", `${event}/patch`, { challenge: { meeting_link: MEETING } });
  expect([(await change(guest)).status, (await change(host)).status]).toEqual([403, 200]);
});

test("G-36 G-37 host and admins get the join link with the code in its fragment, and its QR code", async () => {
  const [host, guest, admin] = await makeUsers(3);
  const { id } = await makeSession(host, { join_code: "open sesame" });
  for (const user of [guest, admin]) await join(user, id, "open sesame");
  await callAs(host, "PATCH", `/challenge-events/${id}/participants/${admin.username}`, { role: 1 });
  for (const user of [host, admin]) {
    const { status, html } = await visit(user, `/sessions/${id}/people`);
    expect(status).toBe(200);
    expect(html).toContain(`/sessions/${id}#code=open%20sesame`);
    expect(html).toContain('aria-label="QR code of the join link"');
  }
  for (const user of [guest, null])
    expect((await visit(user, `/sessions/${id}/people`)).html).not.toContain("sesame");
});
