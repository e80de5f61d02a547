// The wire format of series, standing seats and turns as host (G-04 to G-17).
import type { ShownSeries } from "~/domain/series/view";
import type { Instant } from "~/domain/time";
import { flagOut, instantOut } from "~/wire/values";

export const seriesOut = (series: ShownSeries) => ({
  id: series.id,
  path: series.path,
  address: series.address,
  title: series.title,
  words: series.ruleText,
  rule: series.rule,
  time_zone: series.timeZone,
  host: series.hostUsername,
  is_mine: flagOut(series.isMine),
  is_paused: flagOut(series.isPaused),
  has_ended: flagOut(series.hasEnded),
  needs_code: flagOut(series.needsCode),
  is_free: flagOut(series.isFree),
  problem: series.problem,
  turn: series.turn,
  standing_since: instantOut(series.standingSince),
  code_until: instantOut(series.codeExpiresAt),
  holders_count: series.holdersCount,
});

export const standingSeatOut = (seat: { seriesId: number; since: Instant }) => ({
  series_id: seat.seriesId,
  since: instantOut(seat.since),
});

/** A place in the rota of a series; `accepted_at` is null for an invitation. */
export const turnOut = (turn: { seriesId: number; acceptedAt: Instant | null }) => ({
  series_id: turn.seriesId,
  accepted_at: instantOut(turn.acceptedAt),
});
