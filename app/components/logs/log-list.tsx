// A list of logs, one's own or a session's: a history, newest first, the days named once each.
import { useSearchParams } from "@remix-run/react";
import { dayAt } from "~/domain/days";
import type { LogShown } from "~/domain/logs";
import { useShell } from "~/hooks/use-shell";
import { LogRow, type LogRowProps } from "./log-row";

type Props = {
  logs: readonly LogShown[];
  label?: string;
  /** Whether the viewer may start, edit and delete this log: it is their own. */
  canControl: (log: LogShown) => boolean;
  showsWho?: boolean;
  /** Where a goal's title leads; left out on a goal's own page, which has the title at its top. */
  goalPathOf?: (log: LogShown) => string | null;
};

export function LogList({ logs, label = "Logs", canControl, showsWho, goalPathOf }: Props) {
  const [query] = useSearchParams();
  const { timeZone } = useShell();
  const edited = query.get("edit");
  // An example, and a log that is only shown in advance, have no day yet.
  const dayOf = (log: LogShown) => log.day || dayAt(log.createdAt, timeZone);
  const days = logs.map(dayOf);
  return (
    <ul aria-label={label} className="flex flex-col">
      {logs.map((log, index) => {
        const row: LogRowProps = {
          log,
          day: days[index] ?? "",
          isFirstOfDay: days[index] !== days[index - 1],
          canControl: canControl(log),
          ...(showsWho ? { showsWho } : {}),
          goalPath: goalPathOf?.(log) ?? null,
          isOnGoalPage: goalPathOf === undefined,
          startsEditing: edited === String(log.id),
        };
        return <LogRow key={log.uuid} {...row} />;
      })}
    </ul>
  );
}
