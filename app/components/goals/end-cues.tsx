// The cues of a log that ends by itself; their code loads with the first one that runs.
import { lazy } from "react";
import { LazyPart } from "~/components/ui/lazy-part";
import type { GoalTimer } from "~/domain/goals/goals";
import { endOf } from "~/domain/goals/log-state";
import type { LogShown } from "~/domain/goals/logs";

const LogCues = lazy(async () => ({ default: (await import("./log-cues")).LogCues }));

export const EndCues = ({ log, timer }: { log: LogShown; timer: GoalTimer | null }) =>
  endOf(log) === null ? null : (
    <LazyPart>
      <LogCues log={log} timer={timer} />
    </LazyPart>
  );
