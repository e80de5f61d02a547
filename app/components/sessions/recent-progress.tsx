// Recent progress in a session (U-39, M-40).
import { useLive } from "~/components/room/live-context";
import { Avatar } from "~/components/ui/avatar";
import { TextLink } from "~/components/ui/text-link";
import { Time } from "~/components/ui/time";
import type { ProgressLine } from "~/domain/goals/progress-line";
import { nameAmong } from "~/domain/room/guest-names";
import { NO_LOGS } from "./page";

export function RecentProgress({ lines, path }: { lines: readonly ProgressLine[]; path: string }) {
  const people = useLive("room").participants;
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
