// A log as a line of a session's recent progress (U-39, M-40). Pure.
import type { Reader } from "~/domain/numbers";
import type { Instant } from "~/domain/time";
import { isRunning } from "./log-state";
import type { LogShown } from "./logs";
import { deedText, logMeasures } from "./measure-text";

export type ProgressLine = {
  id: number;
  username: string;
  guestName?: string | undefined;
  title: string;
  words: string;
  at: Instant;
  isRunning: boolean;
};

export const progressLine = (log: LogShown, reader: Reader): ProgressLine => ({
  id: log.id,
  username: log.username,
  ...(log.guestName && { guestName: log.guestName }),
  title: log.goal?.title || log.title || deedText(log.action, "") || "Progress",
  words: logMeasures(log, log.goal?.unit ?? "", log.elapsedDuration, reader),
  at: log.createdAt,
  isRunning: isRunning(log),
});
