// The conditions under which a message may leave (N-05): every kind with every reason to drop it, however late it is.
import { expect, test } from "vitest";
import { DAY, HOUR, type Instant, instant } from "~/domain/time";
import { dropReason, type SendingFacts } from "./deliveries";
import { eventRule } from "./event-rules";
import type { EventKind } from "./events";
import { CHANNELS, settingOf } from "./notices";

const NOW = instant(Date.UTC(2026, 10, 25, 9));
const ENDS = instant(NOW + 30 * DAY);

/** Changes of the world after which a message tells of nothing any more. */
const CHANGES = {
  "the account is gone": { isGone: true },
  "the session is over": { session: { isOver: true }, isSessionOpen: false },
  "the session is deleted": { session: null, isSessionOpen: false },
  "the seat is gone": { session: { hasSeat: false }, isUnreadable: true },
  "the wait has ended": { session: { hasSeat: false, isWaiting: false } },
  "the offer has run out": { session: { offeredUntil: NOW } },
  "the start has changed": { session: { startedAt: instant(ENDS - HOUR) } },
  "the hut is left": { isMember: false },
  "the post is removed": { isUnreadable: true },
  "the goal is done": { isGoalOpen: false },
  "the series has ended": { isSeriesOpen: false },
  "the invitation is answered": { isInvited: false },
  "a block exists": { isBlocked: true },
} satisfies Record<string, Record<string, unknown>>;
type Change = keyof typeof CHANGES;

const OVER: Change[] = ["the session is over", "the session is deleted"];
const SEAT: Change[] = [...OVER, "the seat is gone", "the wait has ended"];
const PERSONAL: Change[] = ["a block exists"];
const POST: Change[] = ["the seat is gone", "the post is removed"];

/** They drop every kind that they can befall. */
const ALWAYS: Change[] = ["the account is gone", ...POST];
/** By kind, apart from those. */
const DROPS: Record<EventKind, Change[]> = {
  "session-reminder": [...SEAT, "the start has changed"],
  "session-moved": [...OVER, "the wait has ended", "the start has changed"],
  "session-undated": [...OVER, "the wait has ended", "the start has changed"],
  "session-early": [...OVER, "the wait has ended"],
  "session-cancelled": [],
  "session-started": [...SEAT, ...PERSONAL],
  "seat-given": SEAT,
  "seat-offered": [...OVER, "the wait has ended", "the offer has run out"],
  "seat-unpaid": [...OVER, "the wait has ended"],
  "waiting-asked": [...OVER, "the wait has ended"],
  "waiting-ended": OVER,
  "host-given": SEAT,
  "turn-given": [],
  "invitation-used": PERSONAL,
  "hut-deleted": [],
  "hut-private": [],
  "series-unpaid": ["the series has ended"],
  "standing-unpaid": ["the series has ended"],
  "standing-ended": ["the series has ended"],
  "standing-asked": ["the series has ended"],
  "rota-invited": ["the series has ended", ...PERSONAL, "the invitation is answered"],
  "rota-asked-again": ["the series has ended", "the invitation is answered"],
  "goal-reminder": ["the goal is done"],
  "still-open": [],
  "hut-session": [...OVER, ...PERSONAL, "the hut is left"],
  "account-changed": [],
  "key-ends": [],
  calendar: [],
  "session-recap": ["the session is deleted"],
  "host-message": ["the session is deleted", ...PERSONAL],
  "report-closed": [],
  decision: [],
  "appeal-answered": [],
  reply: [...POST, ...PERSONAL],
  "thread-reply": [...POST, ...PERSONAL],
  mention: [...POST, ...PERSONAL],
  "chat-mention": [...SEAT, ...PERSONAL],
};

const STARTING: EventKind[] = ["session-reminder", "session-moved"];

function factsOf(kind: EventKind, channel: "mail" | "push", now: Instant): SendingFacts {
  return {
    now,
    kind,
    channel,
    startedAt: STARTING.includes(kind) ? ENDS : undefined,
    lead: kind === "session-reminder" ? 60 : undefined,
    differences: { [`${eventRule(kind).notice}:${channel}`]: kind === "session-reminder" ? 60 : 1 },
    isGone: false,
    isConfirmed: true,
    isFailing: false,
    isBlocked: false,
    isUnreadable: false,
    isGoalOpen: true,
    session: {
      startedAt: kind === "session-undated" ? null : ENDS,
      isOver: false,
      hasSeat: true,
      isWaiting: true,
      offeredUntil: ENDS,
    },
    isMember: true,
    isSessionOpen: true,
    isSeriesOpen: true,
    isInvited: true,
  };
}

const sent = (kind: EventKind) =>
  CHANNELS.filter(
    (channel): channel is "mail" | "push" =>
      channel !== "app" &&
      (eventRule(kind).channels ?? CHANNELS).includes(channel) &&
      settingOf({ [`${eventRule(kind).notice}:${channel}`]: 1 }, eventRule(kind).notice, channel) !== 0,
  );

for (const kind of Object.keys(DROPS) as EventKind[])
  for (const channel of sent(kind)) {
    test(`N-05 ${kind} by ${channel} leaves while all that it tells of holds`, () => {
      expect(dropReason(factsOf(kind, channel, NOW))).toBe(null);
    });
    for (const change of Object.keys(CHANGES) as Change[])
      test(`N-05 R-73 ${kind} by ${channel}, hours or days late: ${change}`, () => {
        const { session, ...flags } = CHANGES[change] as { session?: object | null } & Partial<SendingFacts>;
        const isKept = eventRule(kind).outlivesAccess && POST.includes(change);
        const isDropped = (ALWAYS.includes(change) && !isKept) || DROPS[kind].includes(change);
        for (const late of [9 * HOUR, 8 * DAY]) {
          const facts = { ...factsOf(kind, channel, instant(NOW + late)), ...flags };
          if (session !== undefined)
            facts.session = session && facts.session && { ...facts.session, ...session };
          expect(dropReason(facts) !== null).toBe(isDropped);
        }
      });
  }
