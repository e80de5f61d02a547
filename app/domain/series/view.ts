// The data of the series pages. Pure types.
import type { Day } from "~/domain/days";
import type { Instant } from "~/domain/time";
import type { RuleTyped } from "./form";

export type ShownSeries = {
  id: number;
  /** `/my/series/{id}` */
  path: string;
  /** The address of the public page, `/series/{slug}` (H-09). */
  address: string;
  title: string;
  /** "Every Tuesday at 09:00, Europe/Berlin" */
  ruleText: string;
  rule: string;
  timeZone: string;
  hostUsername: string;
  isMine: boolean;
  isPaused: boolean;
  hasEnded: boolean;
  needsCode: boolean;
  isFree: boolean;
  /** Why the last layout failed; only for the host. */
  problem: string;
  /** The viewer's part in the rota (G-17). */
  turn: "invited" | "host" | null;
  /** Since when the viewer has a standing seat; null without one. */
  standingSince: Instant | null;
  /** When the viewer's standing seat ends unless they give the series' new code (R-95); null without a new code. */
  codeExpiresAt: Instant | null;
  holdersCount: number;
};

/** A date of the rule, with its session once it is laid out. */
export type SeriesDay = {
  day: Day;
  at: Instant;
  state: "planned" | "skipped" | "laid" | "cancelled";
  isMoved: boolean;
  /** Its session has no start; `at` is that of the rule. */
  isUndated: boolean;
  session: { id: number; title: string; participantsCount: number } | null;
};

export type SeriesView = {
  series: ShownSeries;
  days: SeriesDay[];
  /** Only for the host. */
  holders: { username: string; since: Instant }[];
  /** The rota in order, for the host and for the people in it; empty: the host of the series hosts every session. */
  hosts: { username: string; isAccepted: boolean; handle: string | null }[];
  /** Seats for guests, by the viewer's own answer to the turn (H-17); null without an accepted turn. */
  ownGuests: number | null;
  /** Only for the host of a series whose stage is not open to everybody (J-10). */
  viewLink: { isMade: boolean } | null;
  /** Sessions that have not begun: the number that ending the series cancels. */
  unstarted: number;
  timeZone: string;
  now: Instant;
};

/** The rule in words with its next dates, before it is saved (G-06). */
export type SeriesPreview = { ruleText: string; dates: Instant[]; timeZone: string };

/** A rule as typed. */
export type RuleDraft = {
  typed: RuleTyped;
  rule: string;
  /** Null: the form still needs a start. */
  startedAt: Instant | null;
  /** Null for a rule that is not allowed, or without a start. */
  preview: SeriesPreview | null;
};
/** The form of a new series, filled from a session of the host. */
export type SeriesDraft = RuleDraft & {
  session: { id: number; title: string };
  /** The address carries a first start, so an unreadable one is an error. */
  isStartTyped: boolean;
};
/** The page of a series; the draft of another rule is for its host, while the series is open. */
export type SeriesPage = SeriesView & { draft: (RuleDraft & { isAsked: boolean }) | null };
export type SeriesList = { series: ShownSeries[]; draft: SeriesDraft | null };

/** The series of a session, on its pages. */
export type SeriesOfSession = {
  id: number;
  /** The address of the public page of the series. */
  address: string;
  ruleText: string;
  isStanding: boolean;
  /** When the viewer's standing seat ends unless they give the series' new code (R-95); null without a new code. */
  codeExpiresAt: Instant | null;
  isMine: boolean;
  /** The session of the next date, once it is laid out. */
  next: { path: string; startedAt: Instant } | null;
};
