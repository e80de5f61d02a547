// The reasons for which the layout of a series stops at a day, and the sentence for its host (G-09).
import { formatDay } from "~/domain/days";
import type { Instant } from "~/domain/time";

/** `unpaid`: the host has too few tokens. `no-turn`: no host in turn could make it. `refused`: by a rule of sessions. */
type StopCode = "unpaid" | "no-turn" | "refused";
/** `reason`: the answer of the rule. */
export type SeriesStop = { code: StopCode; at: Instant; reason?: string };

const REASONS: Record<Exclude<StopCode, "refused">, string> = {
  unpaid: "you are out of tokens.",
  "no-turn": "no host in turn could make it.",
};

export const stopSentence = (
  { code, at, reason = "" }: SeriesStop,
  series: { title: string; timeZone: string },
): string =>
  `${series.title} on ${formatDay(at, series.timeZone)} was not created: ${code === "refused" ? reason : REASONS[code]}`;

/** True if both are the same stop, or none. The host is notified of a stop only once. */
export const isSameStop = (a: SeriesStop | null, b: SeriesStop | null): boolean =>
  a?.code === b?.code && a?.at === b?.at && a?.reason === b?.reason;
