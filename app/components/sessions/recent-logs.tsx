// Recent progress in a session: the logs from the page, and newer ones from the room (U-39, M-40).
import { useLive } from "~/components/room/live-context";
import { Avatar } from "~/components/ui/avatar";
import { TextLink } from "~/components/ui/text-link";
import { Time } from "~/components/ui/time";
import { isRunning, LOG_STATUS } from "~/domain/goals/log-state";
import type { LogShown } from "~/domain/goals/logs";
import { deedText, logMeasures } from "~/domain/goals/measure-text";
import type { RoomLog } from "~/domain/room/room";
import { type Instant, SECOND } from "~/domain/time";
import { NO_LOGS } from "./no-logs";

export type RecentLine = {
  id: number;
  username: string;
  title: string;
  words: string;
  at: Instant;
  isRunning: boolean;
};

const lineOfLog = (log: LogShown): RecentLine => ({
  id: log.id,
  username: log.username,
  title: log.goal?.title || log.title || deedText(log.action, "") || "Progress",
  words: logMeasures(log, log.goal?.unit ?? "", log.elapsedDuration),
  at: log.createdAt,
  isRunning: isRunning(log),
});

const lineOfRoom = (log: RoomLog): RecentLine => ({
  id: log.id,
  username: log.username,
  title: log.goalTitle || log.title || deedText(log.action, "") || "Progress",
  words: logMeasures(
    { amount: log.amount, distance: log.distance, duration: null, isTimed: log.duration >= SECOND },
    log.unit,
    log.duration,
  ),
  at: log.createdAt,
  isRunning: log.status === LOG_STATUS.active,
});

/** Newest first, each log once, the room's data before the page's. Pure. */
export function recentLines(
  fresh: readonly RoomLog[],
  page: readonly LogShown[],
  most: number,
): RecentLine[] {
  const fromRoom = new Set(fresh.map((log) => log.id));
  return [...fresh.map(lineOfRoom), ...page.filter((log) => !fromRoom.has(log.id)).map(lineOfLog)]
    .sort((a, b) => b.at - a.at)
    .slice(0, most);
}

export function RecentLogs({ logs, path }: { logs: readonly LogShown[]; path: string }) {
  const { freshLogs } = useLive();
  const lines = recentLines(freshLogs, logs, 8);
  if (lines.length === 0) return <p className="text-soft">{NO_LOGS}</p>;
  return (
    <>
      <ul className="flex flex-col">
        {lines.map((line) => (
          <li key={line.id} className="flex items-center gap-3 border-b border-line py-2 last:border-0">
            <Avatar name={line.username} size={32} />
            <p className="min-w-0 flex-1">
              <strong>{line.username}</strong> {line.title}
              {line.words && <span className="tabular text-soft"> · {line.words}</span>}
            </p>
            <span className="text-sm text-soft">
              {line.isRunning ? "running" : <Time at={line.at} show="relative" />}
            </span>
          </li>
        ))}
      </ul>
      <TextLink to={`${path}/logs`} className="self-start">
        All logs
      </TextLink>
    </>
  );
}
