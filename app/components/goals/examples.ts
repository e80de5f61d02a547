// The examples for visitors on the My pages: a goal, a log, a note (U-15, U-18, U-22). They belong to nobody.
import { type Day, plusDays } from "~/domain/days";
import type { Goal } from "~/domain/goals/goals";
import { LOG_STATUS } from "~/domain/goals/log-state";
import type { LogShown } from "~/domain/goals/logs";
import type { NoteShown } from "~/domain/goals/notes";
import type { DayTotals } from "~/domain/goals/recurrence";
import { DAY, type Instant, instant, millis, seconds } from "~/domain/time";

export const exampleGoal = (now: Instant): Goal => ({
  id: 0,
  uuid: "example-goal",
  sessionId: null,
  activityId: null,
  partGroupId: null,
  position: 0,
  title: "Read a chapter every evening",
  link: "",
  content: "",
  contentHtml: "",
  summary: "",
  action: "Read",
  unit: "chapters",
  amount: 1000,
  distance: null,
  duration: null,
  actionDuration: null,
  sets: 1,
  timers: [],
  isInterval: false,
  isList: true,
  items: [
    { uuid: "a", title: "Choose the book", link: "", isChecked: true },
    { uuid: "b", title: "Put it on the pillow", link: "", isChecked: true },
    { uuid: "c", title: "Read the first chapter", link: "", isChecked: false },
  ],
  quickLogButtons: [],
  completionsRequired: 1,
  isPerParticipant: false,
  mayEditContent: false,
  mayEditSummary: false,
  startedAt: null,
  endedAt: null,
  status: LOG_STATUS.active,
  completedAt: null,
  copiedFromUuid: null,
  sharedTags: [],
  attachedSessionId: null,
  recurrence: { every: "day" },
  remindAt: null,
  amountElapsed: 5000,
  durationElapsed: 0,
  distanceElapsed: 0,
  logsCount: 5,
  createdAt: instant(now - 20 * DAY),
  updatedAt: now,
});

/** The recent days of the example goal. One day is missing, which a freeze saves. */
export const exampleDays = (today: Day): DayTotals[] =>
  [0, 1, 2, 4, 5, 6, 7].map((ago) => ({
    day: plusDays(today, -ago),
    amount: 1000,
    duration: 0,
    distance: 0,
    logs: 1,
    isSkipped: false,
  }));

/** The example log: amount 1, duration 900, status 1, timed (U-18). */
export const exampleLog = (now: Instant): LogShown => ({
  id: 0,
  uuid: "example-log",
  goalId: null,
  goal: { id: 0, uuid: "example-goal", title: "Learn ten words of Gaelic", action: "Learn", unit: "" },
  username: "you",
  sessionId: null,
  sessionGoalUuid: null,
  isWithheld: false,
  isInterval: false,
  title: "",
  content: "",
  contentHtml: "",
  summary: "",
  action: "Learn",
  status: LOG_STATUS.active,
  amount: 1000,
  distance: null,
  duration: seconds(900),
  isTimed: true,
  elapsedDuration: millis(0),
  remainingDuration: millis(900_000),
  startedAt: instant(now - 262_000),
  endedAt: instant(now + 638_000),
  pausedAt: null,
  qlButtonUuid: null,
  timerUuid: null,
  day: "",
  createdAt: instant(now - 262_000),
  updatedAt: now,
});

export const exampleNote = (now: Instant): NoteShown => ({
  id: 0,
  goalId: null,
  goalTitle: null,
  title: "This week",
  content: "Walk to work on two days, whatever the weather.",
  contentHtml: "<p>Walk to work on two days, whatever the weather.</p>",
  summary: "Walk to work on two days, whatever the weather.",
  todo: "Oil the boots\nFind the map",
  done: "Monday, in the rain",
  createdAt: now,
  updatedAt: now,
});
