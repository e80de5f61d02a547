// The kinds of notices with their channels and defaults.
import { expect, test } from "vitest";
import { instant } from "~/domain/time";
import { dropReason, type SendingFacts } from "./deliveries";
import { SHOWN_KINDS } from "./event-rules";
import { CHANNELS, type NoticeKind, settingOf } from "./notices";

test("N-13 each kind has the channels and the defaults of its row, and no kind has another row", () => {
  // In the app, by email, by push: the lead of a reminder in minutes, 1 on, 0 off or absent.
  const defaults: Record<NoticeKind, [number, number, number]> = {
    "session-reminder": [10, 60, 10],
    "session-changed": [1, 1, 1],
    "session-started": [1, 0, 1],
    seat: [1, 1, 1],
    reply: [1, 0, 1],
    mention: [1, 0, 1],
    calendar: [0, 1, 0],
    "host-message": [1, 1, 0],
    "hut-session": [1, 0, 0],
    "hut-member": [1, 0, 0],
    "goal-reminder": [1, 0, 1],
    "still-open": [0, 0, 0],
    series: [1, 1, 0],
    recap: [1, 1, 0],
    moderation: [1, 1, 0],
  };
  const shown = SHOWN_KINDS.map((kind) => [kind, CHANNELS.map((channel) => settingOf({}, kind, channel))]);
  expect(Object.fromEntries(shown)).toEqual(defaults);
});

test("N-13 a kind without a channel cannot be switched on there, and a fixed kind not off", () => {
  expect(settingOf({ "calendar:push": 1, "session-started:mail": 1 }, "calendar", "push")).toBe(0);
  expect(settingOf({ "session-started:mail": 1 }, "session-started", "mail")).toBe(0);
  expect(settingOf({ "moderation:mail": 0 }, "moderation", "mail")).toBe(1);
});

test.each(["reply", "thread-reply", "mention", "chat-mention", "session-started"] as const)(
  "N-05 nothing is sent about a %s of a person whom the recipient blocks, or who blocks them",
  (kind) => {
    const facts: SendingFacts = {
      now: instant(0),
      kind,
      channel: "push",
      startedAt: undefined,
      lead: undefined,
      differences: {},
      isGone: false,
      isConfirmed: true,
      isFailing: false,
      isBlocked: false,
      isUnreadable: false,
      session: { startedAt: instant(0), isOver: false, hasSeat: true },
    };
    expect(dropReason(facts)).toBe(null);
    expect(dropReason({ ...facts, isBlocked: true })).toBe("blocked");
  },
);
