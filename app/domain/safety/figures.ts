// The figures of a site for its super admins, over three spans.
import { type Day, dayAt, plusDays } from "~/domain/days";
import { DAY, type Instant, instant } from "~/domain/time";

export const SPANS = [
  { days: 1, label: "1 day" },
  { days: 7, label: "7 days" },
  { days: 30, label: "30 days" },
] as const;

/** The instants at which the spans begin. */
export const spansBefore = (now: Instant): [Instant, Instant, Instant] => {
  const [day, week, month] = SPANS.map(({ days }) => instant(now - days * DAY)) as [
    Instant,
    Instant,
    Instant,
  ];
  return [day, week, month];
};

/** The first day, in UTC, of each span of whole days before today. */
export const firstDaysOf = (now: Instant): Day[] =>
  SPANS.map(({ days }) => plusDays(dayAt(now, "UTC"), -days));

/** `isLowerBound`: more rows may exist than were read. */
export type Figure = { label: string; counts: { count: number; isLowerBound: boolean }[] };

/** Counts the instants since each start. At most `limit` were read, so a full list makes each count a lower bound. */
export const figureOf = (
  label: string,
  times: { at: Instant }[],
  starts: Instant[],
  limit: number,
): Figure => ({
  label,
  counts: starts.map((start) => ({
    count: times.filter(({ at }) => at >= start).length,
    isLowerBound: times.length === limit,
  })),
});
