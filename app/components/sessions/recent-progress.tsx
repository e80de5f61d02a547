// Recent progress in a session (U-39, M-40), with the logs that the room has announced since.
import { useLive } from "~/components/room/live-context";
import { Avatar } from "~/components/ui/avatar";
import { TextLink } from "~/components/ui/text-link";
import { Time } from "~/components/ui/time";
import type { ProgressLine } from "~/domain/goals/progress-line";
import { nameAmong } from "~/domain/room/guest-names";
import { useReader } from "~/hooks/use-shell";
import { recentLines } from "./fresh-progress";
import { NO_LOGS } from "./page";

const MAX_PROGRESS_LINES = 8;

export function RecentProgress(props: { lines: readonly ProgressLine[]; path: string }) {
  const people = useLive("room").participants;
  const freshLogs = useLive("freshLogs");
  const reader = useReader();
  const { path } = props;
  const lines =
    freshLogs.length === 0 ? props.lines : recentLines(freshLogs, props.lines, MAX_PROGRESS_LINES, reader);
  if (lines.length === 0) return <p className="text-soft">{NO_LOGS}</p>;
  return (
    <>
      <ul className="flex flex-col">
        {lines.map((line) => (
          <li key={line.id} className="progress-line">
            <Avatar name={line.username} size={32} />
            <p className="min-w-0 flex-1">
              <strong>{nameAmong([...people, line], line.username)}</strong> {line.title}
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
