// The session form as it is posted: texts in the person's own words and zone → what the use cases take. With zod, so for
// the server; the browser has session-form-rules in components/sessions.
import { z } from "zod";
import { parseFormDate } from "./date-text";
import { parseDuration } from "./duration-parse";
import { ScheduleInput } from "./schedule-input";
import { type PlainRow, scheduleFromRows } from "./schedule-rows";
import type { Schedule } from "./schedule-shape";
import { type SessionChange, SessionInput } from "./session-input";
import { type Instant, mayBeNamed, OUT_OF_BOUNDS, type Seconds } from "./time";

const text = z.string().optional().default("");
const box = z
  .string()
  .optional()
  .transform((value) => value !== undefined && value !== "");
const Row = z.object({ id: z.string().optional(), title: text, duration: text, isAutoStart: box });
/** The timers as rows, where a form came without JavaScript. */
export const PlainRows = z.array(Row).optional().default([]);

const Posted = z.object({
  uuid: z.uuid().optional(),
  title: text,
  content: text,
  prompt: text,
  activitySlug: text,
  hutId: text,
  /** Left away once the session has started: its start stands. */
  startMode: z.enum(["date", "manual"]).optional().catch(undefined),
  startedAt: text,
  timeZone: z.string().optional().default("UTC"),
  duration: z.string().optional(),
  /** There where the form asks for what is the host's business; what it does not ask stays. */
  hasPeople: box,
  participantLimit: text,
  donationLink: text,
  joinCode: text,
  isFree: box,
  category: text,
  difficulty: text,
  schedule: text,
  rows: PlainRows,
});
type Posted = z.output<typeof Posted>;

type Complain = (field: string, sentence: string) => void;

/** The person's zone, or UTC where the browser told something that is none. */
export function knownZone(timeZone: string): string {
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
  if (at === null) complain("startedAt", "Please give a date and time, such as 2026-11-21 09:30.");
  else if (!mayBeNamed(at)) complain("startedAt", OUT_OF_BOUNDS);
  return at;
}

/** Empty is null: as long as its parts. */
function readDuration(posted: Posted, complain: Complain): Seconds | null {
  const read = parseDuration(posted.duration ?? "");
  if (read.error !== undefined) complain("duration", read.error);
  return read.seconds ?? null;
}

function readLimit(posted: Posted, complain: Complain): number | null {
  const typed = posted.participantLimit.trim();
  if (typed === "") return null;
  if (!/^\d{1,7}$/.test(typed)) {
    complain("participantLimit", "Please give a whole number of participants, or leave it empty.");
    return null;
  }
  return Number(typed);
}

function readSchedule(posted: Posted, complain: Complain): Schedule {
  let json: unknown = { groups: [] };
  try {
    if (posted.schedule !== "") json = JSON.parse(posted.schedule);
  } catch {
    complain("schedule", "The timers could not be read. Please reload the page and try again.");
  }
  const parsed = ScheduleInput.safeParse(json);
  if (!parsed.success) {
    complain("schedule", parsed.error.issues[0]?.message ?? "Please check the timers.");
    return { groups: [] };
  }
  if (posted.rows.length === 0) return parsed.data;
  const { schedule, problems } = scheduleFromRows(parsed.data, posted.rows as PlainRow[], () =>
    crypto.randomUUID(),
  );
  for (const { row, sentence } of problems) complain(`rows[${row}].duration`, sentence);
  return schedule;
}

function toInput(posted: Posted, ctx: z.RefinementCtx) {
  let isWrong = false;
  const complain: Complain = (field, message) => {
    isWrong = true;
    const path = field
      .split(/[.[\]]+/)
      .filter(Boolean)
      .map((key) => (/^\d+$/.test(key) ? Number(key) : key));
    ctx.addIssue({ code: "custom", path, message });
  };
  const input = {
    ...(posted.uuid ? { uuid: posted.uuid } : {}),
    title: posted.title,
    content: posted.content,
    prompt: posted.prompt,
    hutId: /^\d+$/.test(posted.hutId) ? Number(posted.hutId) : null,
    activitySlug: posted.activitySlug || null,
    ...(posted.startMode === undefined
      ? {}
      : { isManuallyStarted: posted.startMode === "manual", startedAt: readStart(posted, complain) }),
    ...(posted.duration === undefined ? {} : { duration: readDuration(posted, complain) }),
    ...(posted.hasPeople
      ? {
          participantLimit: readLimit(posted, complain),
          donationLink: posted.donationLink,
          joinCode: posted.joinCode,
          isFree: posted.isFree,
        }
      : {}),
    category: posted.category || null,
    ...(/^[346]$/.test(posted.difficulty) ? { difficulty: Number(posted.difficulty) } : {}),
    schedule: readSchedule(posted, complain),
  };
  const checked = SessionInput.safeParse(input);
  if (!checked.success) {
    for (const issue of checked.error.issues)
      ctx.addIssue({ code: "custom", path: issue.path.slice(0, 1), message: issue.message });
    return z.NEVER;
  }
  return isWrong ? z.NEVER : checked.data;
}

/** A new session from its form. */
export const SessionFormInput = Posted.transform(toInput);

/** A changed session from its form: the activity it runs stays, and so does what the form left away. */
export const SessionUpdateInput = Posted.extend({ session: z.coerce.number().int().positive() }).transform(
  ({ session, ...posted }, ctx): SessionChange => {
    const read = toInput(posted, ctx);
    if (read === z.NEVER) return z.NEVER;
    const { uuid: _, activityId: __, activitySlug: ___, ...change } = read;
    return { ...change, session };
  },
);
