// How often the answer of a page and of a write may wait for D1 (D2, D3). Each number may only fall.
import type { Call } from "~/wire/call";
import { everyCall } from "../support/every-call";
import type { Role } from "./cast";

/** Round trips of a signed-in page: the login and a batch. */
const PAGE = 2;
const LONGER_PAGES: Record<string, number> = {
  // An address names an item by its parent, its person and blocks; each list below would look it up again.
  ":parentItem/:childItem": 3,
  // The files of an export are read a table after another.
  "account/export/:file": 60,
};
/** A visitor's page has no login and waits once less. */
export const mostOfPage = (path: string, role: Role): number =>
  (LONGER_PAGES[path] ?? PAGE) - (role === "visitor" ? 1 : 0);

/** The login, a read and a batch. */
const WRITE = 3;
/** The ones that wait longer, by the reason: those of calls with `keyFirst` without the read of their key. */
export const LONGER_WRITES: Record<string, Record<string, number>> = {
  "D3 gives a join four": {
    joinBySlug: 4,
    "sessions/action join": 4,
    "sessions/action sit-in": 4,
    "series/series join": 4,
  },
  "the card provider answers between the steps, and each step is stored before the next": {
    purchaseTokens: 4,
    confirmPractice: 4,
    createSubscription: 12,
    cancelSubscription: 6,
    addPaymentMethod: 5,
    "accounts/account cancel-subscription": 6,
    "accounts/account resume-subscription": 12,
  },
  "the address says first whether it is an activity or a session": {
    leaveBySlug: 4,
    deleteBySlug: 4,
    resetBySlug: 4,
    updateActivity: 5,
    patchActivity: 5,
  },
  "the address of a series says first which session it opens": { "series/series post": 4 },
  "the answer is what a page reads after the write": {
    updateItem: 4,
    "items/action item.update": 4,
    "items/action item.publish": 4,
    "items/action item.step": 5,
    createParaphrase: 4,
    updateParaphrase: 5,
    "items/snippet paraphrase.create": 4,
    "items/snippet paraphrase.update": 5,
    "activities/form update": 5,
    joinHut: 4,
    updateHut: 5,
    attachActivity: 4,
    "huts/form update": 5,
    "huts/hut join": 4,
    "huts/hut attach": 4,
    "huts/invite enter": 4,
  },
  "a free address is looked for, and the answer is read after the write": {
    createItem: 4,
    createActivity: 4,
    "createActivity with a uuid": 4,
    createHut: 4,
    "items/action item.create": 4,
    "activities/form create": 4,
    "huts/form create": 4,
  },
  "a session reads its sources and a free address, and its answer after the write": {
    createSession: 5,
    "createSession with a uuid": 5,
    repeatSession: 6,
    "sessions/create create": 5,
    "sessions/action repeat": 6,
  },
  "a plan is laid out for the people after the write, and a free place goes to the next": {
    patchSession: 5,
    saveSessionParts: 5,
    removeParticipant: 4,
    "sessions/update update": 5,
    "sessions/chat slow-mode": 5,
    "sessions/people remove": 5,
    "sessions/action end": 5,
  },
  "a part belongs to a plan and to goals, each read before its write": {
    addPart: 4,
    "addPart with a goal": 6,
    updatePart: 6,
    reorderParts: 4,
    "sessions/goals-action task.create": 6,
    "sessions/goals-action task.update": 6,
    "sessions/goals-action task.delete": 4,
  },
  "the words of a session's goal need the right to write there": { "my-action goal.update": 4 },
  "rights come before the look for the person": {
    changeHutMember: 4,
    "huts/members accept": 4,
    "huts/members refuse": 4,
    "huts/members mute": 4,
    "huts/members ban": 6,
    "huts/members let-in": 4,
    "huts/members role": 4,
    "huts/members hand-over": 5,
  },
  "the sessions and the plan of a suspended person are found after the login has ended": {
    "safety/admin-account suspend": 6,
  },
  "the series and the sessions ahead of a private hut end before the hut goes": { "huts/form delete": 6 },
  "the rooms of both people hear of it before the answer": { blockPerson: 4, "safety/blocks block": 4 },
  "the sessions of an activity are found before they are reset": { "activities/activity reset": 4 },
  "a series lays out its sessions one after the other, each with its price, and answers with its page": {
    createSeries: 11,
    changeSeries: 4,
    changeSeriesDay: 5,
    endSeries: 4,
    setRotaHost: 4,
    acceptTurn: 4,
    takeStandingSeat: 4,
    "series/my-series-list create": 12,
    "series/my-series pause": 4,
    "series/my-series resume": 4,
    "series/my-series end": 4,
    "series/my-series rule": 14,
    "series/my-series host.invite": 4,
    "series/my-series host.accept": 4,
    "series/my-series host.move": 6,
    "series/my-series day.skip": 5,
    "series/my-series day.take-up": 12,
    "series/my-series day.move": 12,
    "sessions/action standing.take": 4,
  },
};
const LIMITS = new Map(Object.values(LONGER_WRITES).flatMap((names) => Object.entries(names)));

/** Of a call or form. A call with a key that is read before its work waits once more, for the reason in its declaration. */
export const mostOfWrite = (name: string): number => {
  const { keyFirst } = (everyCall as Record<string, Partial<Call>>)[name.split(" ")[0] ?? ""] ?? {};
  return (LIMITS.get(name) ?? WRITE) + (keyFirst === undefined ? 0 : 1);
};
