// A list of logs, one's own or a session's.
import { useSearchParams } from "@remix-run/react";
import type { LogShown } from "~/domain/logs";
import { LogRow, type LogRowProps } from "./log-row";

type Props = {
  logs: readonly LogShown[];
  label?: string;
  /** Whether the viewer may start, edit and delete this log: it is their own. */
  canControl: (log: LogShown) => boolean;
  showsWho?: boolean;
  goalPathOf?: (log: LogShown) => string | null;
};

export function LogList({ logs, label = "Logs", canControl, showsWho, goalPathOf }: Props) {
  const [query] = useSearchParams();
  const edited = query.get("edit");
  return (
    <ul aria-label={label} className="flex flex-col gap-3">
      {logs.map((log) => {
        const row: LogRowProps = {
          log,
          canControl: canControl(log),
          ...(showsWho ? { showsWho } : {}),
          goalPath: goalPathOf?.(log) ?? null,
          startsEditing: edited === String(log.id),
        };
        return <LogRow key={log.uuid} {...row} />;
      })}
    </ul>
  );
}
