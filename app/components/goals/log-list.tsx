// A list of logs of a user or a session: newest first, grouped by day.
import { useSearchParams } from "@remix-run/react";
import { dayAt } from "~/domain/days";
import type { LogShown } from "~/domain/goals/logs";
import { useShell } from "~/hooks/use-shell";
import { LogRow, type LogRowProps } from "./log-row";

type Props = {
  logs: readonly LogShown[];
  label?: string;
  /** True if the viewer may start, edit and delete this log, as its owner. */
  canControl: (log: LogShown) => boolean;
  showsAuthor?: boolean;
  /** The link of a goal's title; omitted on the goal's own page, which shows the title above. */
  goalPathOf?: (log: LogShown) => string | null;
};

export function LogList({ logs, label = "Logs", canControl, showsAuthor, goalPathOf }: Props) {
  const [query] = useSearchParams();
  const { timeZone } = useShell();
  const editedId = query.get("edit");
  // Examples and optimistic logs have no day yet.
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
          ...(showsAuthor ? { showsAuthor } : {}),
          goalPath: goalPathOf?.(log) ?? null,
          isOnGoalPage: goalPathOf === undefined,
          startsEditing: editedId === String(log.id),
        };
        return <LogRow key={log.uuid} {...row} />;
      })}
    </ul>
  );
}
