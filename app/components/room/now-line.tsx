// The current part in one line, for tabs without the stage; it links back to it.

import { Link } from "@remix-run/react";
import { Badge } from "~/components/ui/badge";
import { formatClock } from "~/domain/duration-text";
import { useFlips } from "~/hooks/use-now";
import { useLive } from "./live-context";
import { maskHiddenParts, readFace, stageAt } from "./stage-reading";
import { useLiveSchedule } from "./use-live-schedule";

/** `mayRun`: hidden parts show their titles. */
export function NowLine({ path, me, mayRun }: { path: string; me: string | null; mayRun: boolean }) {
  const room = useLive("room");
  const { schedule } = useLiveSchedule(room, true);
  const { value: text } = useFlips((now) => {
    const stage = stageAt(room, maskHiddenParts(schedule, mayRun), now);
    if (stage.kind === "host-awaited") return `${stage.part.title || "Timer"}\nwaiting for the host`;
    if (stage.kind !== "part") return "";
    const { label, remaining, isMyTurn } = readFace(stage.part, now, me, [], room.participants);
    const title = isMyTurn || stage.part.intervals.length > 0 ? label : stage.part.title || "Timer";
    return `${title}\n${formatClock(remaining, "ceil")}${stage.part.state === "paused" ? ", paused" : ""}`;
  });
  if (text === "") return null;
  const [title, state] = text.split("\n");
  return (
    <Link to={path} preventScrollReset className="flex min-w-0 max-w-full rounded-full">
      <Badge tone="ember" className="tabular">
        <span className="truncate">{title}</span> {state}
        <span className="sr-only">, to the timer</span>
      </Badge>
    </Link>
  );
}
