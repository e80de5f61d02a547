// Every kind of event, delivered late after each change of the world that a message may outlive (N-05, R-73).

import { expect, test } from "vitest";
import { runBatch, schema } from "#db/connect.server";
import { listDue } from "#db/queries/notices/deliveries";
import { recordEvent } from "#db/queries/notices/events";
import { callAs } from "#tests/support/ask";
import { db, makeUser, setUser, type TestUser } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { emptySpine, spineApp } from "#tests/support/notices";
import { ROOM_NOW, useRoomClock } from "#tests/support/rooms";
import { iso, makeSeries } from "#tests/support/series";
import { leave, makeHut, makePost, makeSession } from "#tests/support/sessions";
import { post } from "#tests/support/visit";
import { dayAt } from "~/domain/days";
import { EVENTS, eventRule } from "~/domain/notices/event-rules";
import type { EventBodies, EventKind } from "~/domain/notices/events";
import {
  CHANNELS,
  kindRule,
  NOTICE_KINDS,
  type NoticeKind,
  type SentChannel,
} from "~/domain/notices/notices";
import { DAY, HOUR, instant, MINUTE } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { deliver } from "~/use-cases/deliveries.server";
import { hashToken } from "~/use-cases/tokens.server";
import { causeOf, fanOut } from "./events.server";

const at = useRoomClock();

/** In the order of the letters below. */
const CHANGES = ["nothing", "over", "seat gone", "hut left", "deleted", "blocked"] as const;
type Change = (typeof CHANGES)[number];

/** By change: `s` is sent, `-` is dropped. A kind of the app alone has no row of letters. */
const FATES: Record<EventKind, string | null> = {
  //                   nothing, over, seat gone, hut left, deleted, blocked
  "session-reminder": "s----s",
  "session-moved": "s----s",
  "session-undated": "s----s",
  "session-early": "s----s",
  "session-cancelled": "ssssss",
  "session-started": "s-----",
  "seat-given": "s----s",
  // An offer ends after ten minutes.
  "seat-offered": "------",
  "seat-unpaid": "s----s",
  "waiting-asked": "s----s",
  "waiting-ended": "s-s--s",
  "host-given": "s----s",
  "turn-given": null,
  "invitation-used": null,
  "hut-deleted": null,
  "hut-private": "ssssss",
  "rota-invited": "sss---",
  "rota-asked-again": "sss--s",
  "series-unpaid": "s-s--s",
  "standing-unpaid": "s-s--s",
  "standing-ended": "sss--s",
  "standing-asked": "sss--s",
  // Both are of a day, and the list is that of its time.
  "goal-reminder": "ssss-s",
  "still-open": "ssssss",
  "hut-session": "s-s---",
  "account-changed": "ssssss",
  "key-ends": "ssssss",
  calendar: "s----s",
  "host-message": "ss----",
  "report-closed": null,
  decision: null,
  "appeal-answered": "ssssss",
  "session-recap": "sss--s",
  // Posts of the hut.
  reply: "sss---",
  "thread-reply": "sss---",
  // A post of the session, which has a join code.
  mention: "ss----",
  "chat-mention": "s-----",
};
/** Nobody needs them eight days later. */
const OVER_BY_THEN: readonly EventKind[] = ["goal-reminder", "still-open", "waiting-asked", "standing-asked"];
const KINDS = Object.keys(EVENTS) as EventKind[];

const sent = (answer: { status: number }) => {
  if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer)}`);
};

/** A host and two readers, and a thing of each sort that a notice can be about; the session begins after `startsIn`. */
async function stage(startsIn: number) {
  at(ROOM_NOW);
  await emptySpine();
  const [host, other] = [await makeUser({ tokens: 5000 }), await makeUser()];
  const readers = [await makeUser(), await makeUser()] as const;
  const hut = await makeHut(host, [host, other, ...readers]);
  await callAs(host, "PATCH", `/groups/${hut.slug}/patch`, { hut: { is_private: 1 } });
  const openHut = await makeHut(host, [host, ...readers]);
  const startedAt = instant(ROOM_NOW + startsIn);
  const dated = { is_manually_started: 0, started_at: iso(startedAt), hut_id: hut.id };
  const seated = await makeSession(host, { ...dated, title: "«calendar»", join_code: "sesame" });
  const undated = await makeSession(host, { hut_id: hut.id });
  const full = await makeSession(host, { ...dated, participant_limit: 2 });
  const listed = await makeSession(host, { ...dated, hut_id: openHut.id });
  const join = (user: TestUser, id: number) =>
    callAs(user, "POST", `/challenge-events/${id}/join`, { join_code: "sesame" }).then(sent);
  await join(other, full.id);
  const series = await makeSeries(host, {}, { hut_id: hut.id });
  for (const reader of readers) {
    for (const { id } of [seated, undated]) await join(reader, id);
    sent(await callAs(reader, "POST", `/challenge-events/${full.id}/wait`, {}));
    sent(await callAs(host, "PUT", `/api/series/${series}/hosts/${reader.username}`, {}));
  }
  const inHut = await makePost(host, { hutId: hut.id });
  const inSession = await makePost(host, { sessionId: seated.id });
  const goal = await makeGoal(readers[0], { recurrence: { every: "day" } as never, createdAt: ROOM_NOW });
  // Everything that this made is not what is asked.
  await db.batch([db.delete(schema.events), db.delete(schema.notices), db.delete(schema.deliveries)]);
  const sessions = { listed, seated, undated, full };
  return { host, readers, hut, openHut, startedAt, ...sessions, series, inHut, inSession, goal };
}
type World = Awaited<ReturnType<typeof stage>>;

/** Each kind with its subject and the facts of its body; the texts say their kind. */
function causesIn(world: World): { [K in EventKind]: [subject: string, body: Partial<EventBodies[K]>] } {
  const { host, readers, hut, openHut, startedAt, listed, seated, undated, full, series } = world;
  const { inHut, inSession, goal } = world;
  const to = readers.map(({ id }) => id);
  const place = (kind: EventKind, path: string) => ({ title: `«${kind}»`, path, to });
  const inSeated = (kind: EventKind) => place(kind, seated.path);
  const inFull = (kind: EventKind) => place(kind, full.path);
  const inSeries = (kind: EventKind) => place(kind, `/my/series/${series}`);
  const [ofSeated, ofFull] = [`session:${seated.id}`, `session:${full.id}`];
  const ofSeries = `series:${series}`;
  const name = host.username;
  const endOfDay = instant(ROOM_NOW + DAY - 1);
  const day = dayAt(ROOM_NOW, "UTC");
  const ofPost = (kind: EventKind, id: number) => ({
    name: `«${kind}»`,
    by: host.id,
    path: "/",
    post: id,
    to,
  });
  return {
    "session-reminder": [ofSeated, { ...inSeated("session-reminder"), startedAt, lead: 60 }],
    "session-moved": [ofSeated, { ...inSeated("session-moved"), startedAt }],
    "session-undated": [`session:${undated.id}`, place("session-undated", undated.path)],
    "session-early": [ofSeated, { ...inSeated("session-early"), name, planned: startedAt }],
    "session-cancelled": [ofSeated, { ...inSeated("session-cancelled"), payers: [] }],
    "session-started": [ofSeated, { ...inSeated("session-started"), name }],
    "seat-given": [ofSeated, inSeated("seat-given")],
    "seat-offered": [ofFull, { ...inFull("seat-offered"), until: instant(ROOM_NOW + 10 * MINUTE) }],
    "seat-unpaid": [ofFull, inFull("seat-unpaid")],
    "waiting-asked": [ofFull, { ...inFull("waiting-asked"), until: instant(ROOM_NOW + 7 * DAY) }],
    "waiting-ended": [ofFull, inFull("waiting-ended")],
    "host-given": [ofSeated, { ...inSeated("host-given"), endsFree: 0 }],
    "turn-given": [ofSeries, { ...inSeries("turn-given"), startedAt }],
    "invitation-used": [`hut:${hut.id}`, { ...place("invitation-used", "/"), name, by: host.id }],
    "hut-deleted": [`hut:${hut.id}`, { title: "«hut-deleted»", to }],
    "hut-private": [`hut:${hut.id}`, { title: "«hut-private»", to, payers: [] }],
    "rota-invited": [ofSeries, { ...inSeries("rota-invited"), name }],
    "rota-asked-again": [ofSeries, inSeries("rota-asked-again")],
    "series-unpaid": [ofSeries, { ...inSeries("series-unpaid"), startedAt }],
    "standing-unpaid": [ofSeries, { ...inSeries("standing-unpaid"), startedAt }],
    "standing-ended": [ofSeries, inSeries("standing-ended")],
    "standing-asked": [ofSeries, { ...inSeries("standing-asked"), until: instant(ROOM_NOW + 7 * DAY) }],
    "goal-reminder": [`goal:${goal.id}`, { ...place("goal-reminder", "/"), day, until: endOfDay }],
    "still-open": [
      "still-open:600",
      { titles: ["«still-open»"], path: "/my/goals", chosen: 601, until: endOfDay, to },
    ],
    "hut-session": [
      `hut:${openHut.id}`,
      { ...place("hut-session", listed.path), hut: "Hut", hutPath: "/", session: listed.id },
    ],
    "account-changed": [
      "account:sign-in",
      { what: "sign-in", sentence: "«account-changed»", changedAt: ROOM_NOW, to },
    ],
    "key-ends": ["key:1", { ...place("key-ends", "/account/api"), endsAt: endOfDay }],
    calendar: [ofSeated, { to, isNew: true }],
    "host-message": [
      ofSeated,
      { ...inSeated("host-message"), name, by: host.id, seat: seated.id, content: "Hello" },
    ],
    "report-closed": ["report:post:1", { outcome: "«report-closed»", path: "/", to }],
    decision: ["report:post:1", { act: "«decision»", reason: "Spam", to }],
    "appeal-answered": [
      "report:post:1",
      { sentence: "«appeal-answered»", isGranted: true, reason: "Agreed", to },
    ],
    "session-recap": [ofSeated, { ...inSeated("session-recap"), present: {} }],
    reply: [`post:${inHut}`, ofPost("reply", inHut)],
    "thread-reply": [`post:${inHut}`, ofPost("thread-reply", inHut)],
    mention: [`post:${inSession}`, { ...ofPost("mention", inSession), title: "the forum" }],
    "chat-mention": [ofSeated, { ...inSeated("chat-mention"), name, by: host.id, seat: seated.id }],
  };
}

/** The acts of each change, before the delivery. */
const ACTS: Record<Change, (world: World) => Promise<unknown>> = {
  nothing: async () => {},
  // The session runs out by itself.
  over: async ({ host, undated }) =>
    sent(await callAs(host, "POST", `/challenge-events/${undated.id}/end`, {})),
  "seat gone": async ({ readers, seated, undated, full }) => {
    for (const reader of readers) {
      for (const { id } of [seated, undated]) sent(await leave(reader, id));
      sent(await callAs(reader, "DELETE", `/challenge-events/${full.id}/wait`));
    }
  },
  "hut left": async ({ readers, hut, openHut }) => {
    for (const reader of readers)
      for (const { slug } of [hut, openHut]) sent(await callAs(reader, "DELETE", `/groups/${slug}/leave`));
  },
  deleted: async ({ host, readers, hut, listed, seated, undated, full, series, inHut, inSession, goal }) => {
    for (const id of [inHut, inSession]) sent(await callAs(host, "DELETE", `/api/posts/${id}`));
    sent(await callAs(host, "DELETE", `/api/series/${series}`));
    for (const { slug } of [listed, seated, undated, full])
      sent(await callAs(host, "DELETE", `/challenges/${slug}`));
    sent(await callAs(host, "DELETE", `/groups/${hut.slug}`, { slug: hut.slug }));
    await post(readers[0], "/my/goals", { intent: "goal.delete", goal: String(goal.id) });
  },
  blocked: async ({ host, readers }) => {
    for (const reader of readers) sent(await callAs(reader, "PUT", `/api/blocks/${host.username}`));
  },
};

/** All kinds go to the reader by mail and push. */
async function subscribe(reader: TestUser, digest: "off" | "weekly") {
  const rows = (Object.keys(NOTICE_KINDS) as NoticeKind[]).flatMap((kind) =>
    (["mail", "push"] as const)
      .filter((channel) => kindRule(kind)[channel] !== null && !kindRule(kind).isFixed)
      .map((channel) => ({
        userId: reader.id,
        kind,
        channel,
        value: kind === "session-reminder" ? 60 : kind === "still-open" ? 601 : 1,
      })),
  );
  await db.batch([
    db.insert(schema.noticeSettings).values(rows.slice(0, 16)),
    db.insert(schema.noticeSettings).values(rows.slice(16)),
    setUser(reader.id, { digest }),
    db.insert(schema.pushSubscriptions).values({
      loginHash: await hashToken(reader.loginToken),
      endpoint: `https://fcm.googleapis.com/${reader.id}`,
      userId: reader.id,
      p256dh: "k",
      auth: "k",
      createdAt: instant(1),
    }),
  ]);
}

/** The channels outside the app on which a kind goes out. */
const channelsOf = (kind: EventKind): SentChannel[] =>
  (eventRule(kind).channels ?? CHANNELS).filter(
    (channel) => channel !== "app" && kindRule(eventRule(kind).notice)[channel] !== null,
  ) as SentChannel[];

/** `s` where all channels of the kind carried it to the reader, `-` where none did, else the channels. */
async function fatesAt(late: number, reader: TestUser): Promise<Record<string, string>> {
  at(ROOM_NOW + late);
  const { app, mails } = await spineApp(instant(ROOM_NOW + late));
  const texts = { mail: "", push: "" };
  app.push = {
    publicKey: "k",
    post: async (_browser, { payload }) => {
      texts.push += payload;
      return "sent";
    },
  };
  const due = await listDue(db, app.now, 1000);
  await deliver(
    app,
    due.map(({ key }) => key).filter((key) => key.startsWith(`${reader.id}:`)),
  );
  texts.mail = mails.map(({ text }) => text).join();
  return Object.fromEntries(
    KINDS.flatMap((kind) => {
      const wanted = channelsOf(kind);
      const came = wanted.filter((channel) => texts[channel].includes(`«${kind}»`));
      const fate = came.length === 0 ? "-" : came.length === wanted.length ? "s" : came.join();
      return wanted.length === 0 ? [] : [[kind, fate]];
    }),
  );
}

/** The fates of each kind that leaves the app, after the change of this place. */
const fatesAfter = (place: number, isNextDay: boolean) =>
  Object.fromEntries(
    Object.entries(FATES).flatMap(([kind, fates]) => {
      if (fates === null) return [];
      const isOver = isNextDay && OVER_BY_THEN.includes(kind as EventKind);
      return [[kind, isOver ? "-" : fates[place]]];
    }),
  );

test.each(CHANGES.map((change, place) => [change, place] as const))(
  "N-05 R-73 N-17 after %s, each kind is sent or dropped, 9 hours and 8 days late",
  async (change, place) => {
    const world = await stage(change === "over" ? HOUR : 60 * DAY);
    const { host, readers } = world;
    const [reader, digested] = readers;
    await subscribe(reader, "off");
    await subscribe(digested, "weekly");
    const { app } = await spineApp(ROOM_NOW);
    app.push = { publicKey: "k", post: async () => "sent" };
    for (const [kind, [subject, body]] of Object.entries(causesIn(world)) as [
      EventKind,
      [string, object],
    ][]) {
      const isOwn = eventRule(kind).reaches === "own";
      const user = (isOwn ? null : { id: host.id }) as App["user"];
      const cause = causeOf({ now: app.now, user }, { kind, subject, body: body as never });
      await runBatch(db, [recordEvent(db, cause)]);
      await fanOut(app, cause.id);
    }
    at(ROOM_NOW + MINUTE);
    await ACTS[change](world);
    expect(await fatesAt(9 * HOUR, reader)).toEqual(fatesAfter(place, false));
    expect(await fatesAt(8 * DAY, digested)).toEqual(fatesAfter(place, true));
  },
  60_000,
);
