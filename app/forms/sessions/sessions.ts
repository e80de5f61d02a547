// The forms of a session: typed text and local times, parsed into the input of the use cases.
import { z } from "zod";
import { parseFormDate } from "~/domain/date-text";
import { parseDuration } from "~/domain/duration-parse";
import { CHAT_LENGTH } from "~/domain/room/chat";
import type { PlainRow } from "~/domain/schedule/rows";
import { SCOPES, type Scope } from "~/domain/series/form";
import { REPEAT_COUNTS, REPEATS, ruleOfRepeat } from "~/domain/series/repeat";
import { CALL_DATES } from "~/domain/sessions/call";
import { SLOW_MODES } from "~/domain/sessions/chat";
import { ScopedChange, SessionInput } from "~/domain/sessions/input";
import { GUESTS_BY_DEFAULT } from "~/domain/sessions/limits";
import { readParticipantLimit } from "~/domain/sessions/rules";
import { manyLines, oneLine } from "~/domain/text-fields";
import { type Instant, mayBeNamed, OUT_OF_BOUNDS, type Seconds } from "~/domain/time";
import {
  type Complain,
  checkbox,
  optionalLines,
  optionalText,
  readTimers,
  since,
  timerRows,
} from "~/forms/fields";
import { goalForm, newGoalForm } from "~/forms/goals/goals";
import { measures } from "~/forms/goals/logs";
import { reader } from "~/forms/reading";
import { aimText, textFields } from "~/wire/calls/session-texts";
import { oneLineText } from "~/wire/goals/texts";
import { flag, id, ownId } from "~/wire/values";

const Posted = z.object({
  uuid: z.uuid().optional(),
  title: optionalText,
  content: optionalLines,
  prompt: optionalLines,
  activitySlug: optionalText,
  promptBook: optionalText,
  hutId: optionalText,
  /** Missing once the session has started, because its start is fixed. */
  startMode: z.enum(["date", "manual"]).optional().catch(undefined),
  startedAt: optionalText,
  timeZone: oneLine().optional().default("UTC"),
  duration: oneLine().optional(),
  /** Present if the form contains the host's settings; otherwise the stored settings remain. */
  hasPeople: checkbox,
  participantLimit: optionalText,
  donationLink: optionalText,
  meetingLink: optionalText,
  joinCode: optionalText,
  isFree: checkbox,
  takesGuests: checkbox,
  guestLimit: optionalText,
  needsHost: checkbox,
  keepsWaiting: checkbox,
  /** Present if the form contains the privacy of something without a hut. */
  hasPrivacy: checkbox,
  isPrivate: checkbox,
  category: optionalText,
  difficulty: optionalText,
  schedule: optionalLines,
  rows: timerRows,
});
type Posted = z.output<typeof Posted>;

/** The browser's time zone, or UTC if its name is unknown. */
function knownZone(timeZone: string): string {
  try {
    new Intl.DateTimeFormat("en", { timeZone });
    return timeZone;
  } catch {
    return "UTC";
  }
}

function readStart(posted: Posted, complain: Complain): Instant | null {
  if (posted.startMode === "manual" || posted.startedAt.trim() === "") return null;
  const at = parseFormDate(posted.startedAt, knownZone(posted.timeZone));
  if (at === null) complain(["startedAt"], "Please give a date and time, such as 2026-11-21 09:30.");
  else if (!mayBeNamed(at)) complain(["startedAt"], OUT_OF_BOUNDS);
  return at;
}

/** Null for an empty field: the session is as long as its parts. */
function readDuration(posted: Posted, complain: Complain): Seconds | null {
  const span = parseDuration(posted.duration ?? "");
  if (span.error !== undefined) complain(["duration"], span.error);
  return span.seconds ?? null;
}

function readLimit(posted: Posted, complain: Complain): number | null {
  const limit = readParticipantLimit(posted.participantLimit, reader().locale);
  if (typeof limit !== "object" || limit === null) return limit;
  complain(["participantLimit"], limit.problem);
  return null;
}

/** The number of seats for guests: 0 without the switch, and the default where none is typed (H-17). */
export function readGuests(posted: Pick<Posted, "takesGuests" | "guestLimit">, complain: Complain): number {
  if (!posted.takesGuests) return 0;
  const guestLimit = readParticipantLimit(posted.guestLimit, reader().locale);
  if (typeof guestLimit !== "object" || guestLimit === null) return guestLimit ?? GUESTS_BY_DEFAULT;
  complain(["guestLimit"], "Please give a whole number of guests.");
  return 0;
}

type Update = {
  session?: number;
  withoutTexts?: boolean;
  scope?: Scope | undefined;
  since?: Instant | undefined;
};
const toInputOf = <S extends z.ZodType>(schema: S) =>
  function toInput(posted: Posted & Update, ctx: z.RefinementCtx): z.output<S> {
    const complain: Complain = (path, message) =>
      void ctx.addIssue({ code: "custom", path: [...path], message });
    const input = {
      ...(posted.session === undefined ? {} : { session: posted.session }),
      ...(posted.scope ? { scope: posted.scope } : {}),
      ...(posted.since === undefined ? {} : { since: posted.since }),
      ...(posted.uuid ? { uuid: posted.uuid } : {}),
      ...(posted.withoutTexts ? {} : { title: posted.title, content: posted.content, prompt: posted.prompt }),
      ...(posted.hasPeople || posted.session === undefined
        ? { hutId: /^\d+$/.test(posted.hutId) ? Number(posted.hutId) : null }
        : {}),
      activitySlug: posted.activitySlug || null,
      ...(posted.promptBook ? { promptBook: posted.promptBook } : {}),
      ...(posted.startMode === undefined
        ? {}
        : { isManuallyStarted: posted.startMode === "manual", startedAt: readStart(posted, complain) }),
      ...(posted.duration === undefined ? {} : { duration: readDuration(posted, complain) }),
      ...(posted.hasPeople
        ? {
            participantLimit: readLimit(posted, complain),
            donationLink: posted.donationLink,
            meetingLink: posted.meetingLink,
            joinCode: posted.joinCode,
            isFree: posted.isFree,
            guestLimit: readGuests(posted, complain),
            needsHost: posted.needsHost,
            ...(posted.keepsWaiting ? { keepsWaiting: true } : {}),
          }
        : {}),
      ...(posted.hasPrivacy && !(posted.isPrivate && posted.session !== undefined)
        ? { isPrivate: posted.isPrivate }
        : {}),
      category: posted.category || null,
      ...(/^[346]$/.test(posted.difficulty) ? { difficulty: Number(posted.difficulty) } : {}),
      schedule: readTimers(posted.schedule, posted.rows as PlainRow[], complain),
    };
    const result = schema.safeParse(input);
    if (!result.success) {
      for (const issue of result.error.issues)
        ctx.addIssue({ code: "custom", path: issue.path.slice(0, 1), message: issue.message });
      return z.NEVER;
    }
    return result.data;
  };

/** The form of a new session. */
export const SessionFormInput = Posted.extend({
  /** The session that the new one repeats (G-03). */
  repeats: id.optional(),
  repeatEvery: z.enum(REPEATS).optional().catch(undefined),
  repeatCount: z.coerce
    .number()
    .pipe(z.literal([...REPEAT_COUNTS]))
    .optional()
    .catch(undefined),
}).transform((posted, ctx) => ({
  ...toInputOf(SessionInput)(posted, ctx),
  repeats: posted.repeats,
  /** The series that the sentence "Repeats …" describes. */
  series: posted.repeatEvery && {
    rule: ruleOfRepeat(posted.repeatEvery, posted.repeatCount ?? null),
    timeZone: knownZone(posted.timeZone),
  },
}));

const scope = z.enum(SCOPES).optional().catch(undefined);

/** The form of an existing session. Its activity, and every field that the form omits, keep their values (P-27). */
export const SessionUpdateInput = Posted.extend({
  session: id,
  /** Set once the session has ended, because the form then contains no texts. */
  withoutTexts: checkbox,
  scope,
  since,
}).transform(toInputOf(ScopedChange));

export const SessionChoice = z.object({ session: id });
export const JoinInput = SessionChoice.extend({ joinCode: oneLine().max(100).optional() });
export const ClaimInput = SessionChoice.extend({ keepsFree: checkbox });
export const RepeatInput = SessionChoice.extend({ uuid: ownId, isNextWeek: flag.default(false) });
export const ReadyInput = SessionChoice.extend({ isReady: flag });
export const CallInput = SessionChoice.extend({ dates: z.enum(CALL_DATES).optional() });
export const DoneInput = SessionChoice.extend({ isDone: flag.default(true) });
export const AimInput = SessionChoice.extend({
  aim: oneLine().default("").pipe(aimText),
  goalId: id.optional(),
});
/** The parser of forms drops empty values, so a field that the form shows becomes "" again. */
export const TextsInput = SessionChoice.extend({
  ...textFields,
  hasContent: flag.default(false),
  hasPrompt: flag.default(false),
}).transform(({ session, hasContent, hasPrompt, title = "", content = "", prompt = "" }) => ({
  session,
  ...(hasContent ? { title, content } : {}),
  ...(hasPrompt ? { prompt } : {}),
}));
export const ContributionInput = SessionChoice.extend({
  uuid: ownId,
  contribution: optionalLines,
  isPassing: flag.default(false),
});
export const TurnChoice = SessionChoice.extend({ part: oneLine().min(1).max(64) });

const PLEASE_WRITE = "Please write something.";
const line = { content: manyLines(PLEASE_WRITE).trim().min(1, PLEASE_WRITE).max(CHAT_LENGTH) };
export const MessageInput = SessionChoice.extend({ uuid: ownId, ...line }).transform(
  ({ uuid, ...message }) => ({
    ...message,
    nonce: uuid,
  }),
);

const seq = z.coerce.number().int().positive();
export const HostMessageInput = SessionChoice.extend({
  uuid: oneLine().max(100).optional(),
  content: manyLines("Please write a message."),
});
export const HostLineInput = SessionChoice.extend({
  uuid: oneLine().max(100).optional(),
  content: oneLine("Please write a message."),
});
export const LineChoice = SessionChoice.extend({ seq });
export const LineEditInput = SessionChoice.extend({ ...line, seq });
export const SlowModeInput = SessionChoice.extend({
  slowMode: z.coerce.number().pipe(z.literal([...SLOW_MODES], "Please choose 0, 5, 15 or 60 seconds.")),
});

export const SessionGoalChoice = SessionChoice.extend({ part: oneLine().min(1).max(64) });
export const CopyGoalInput = SessionGoalChoice.extend({ uuid: ownId });
export const AttachGoalInput = SessionChoice.extend({ goal: id });
export const SessionGoalInput = z.intersection(SessionChoice, newGoalForm);
export const SessionGoalChange = z.intersection(SessionGoalChoice.extend({ since }), goalForm);
export const SessionLogInput = SessionGoalChoice.extend({
  uuid: ownId,
  title: oneLineText(200),
  ...measures,
});

/** Without JavaScript the code of a link is a field (H-18). */
export const SitInInput = SessionChoice.extend({
  name: oneLine("Please write your name.").min(1, "Please write your name."),
  joinCode: oneLine().max(200).optional(),
});
export const GuestNameInput = SessionChoice.extend({
  username: oneLine().min(1).max(60),
  name: oneLine("Please write a name.").min(1, "Please write a name."),
});
