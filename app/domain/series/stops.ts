// Why the layout of a series stopped at a day (G-09), and the sentence for its host.
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

/** The host knows of it: the layout met the same day again. */
export const isSameStop = (a: SeriesStop | null, b: SeriesStop | null): boolean =>
  a?.code === b?.code && a?.at === b?.at && a?.reason === b?.reason;
