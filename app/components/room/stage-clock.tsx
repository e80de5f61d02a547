// The numerals of a stage. On a tall screen their hours have a line of their own (J-08).
import type { CSSProperties } from "react";
import { clockEms } from "~/components/schedule/face-geometry";

/** Matches "1:" of "1:02:03" and "1d 02:" of "1d 02:03:04", and nothing in "02:03". */
const HOURS = /^.*:(?=\d\d:\d\d$)/;

export function StageClock({ clock }: { clock: string }) {
  const hours = HOURS.exec(clock)?.[0] ?? "";
  const minutes = clock.slice(hours.length);
  // The colon at the end of the hours may reach into the screen's margin, so its width does not count.
  const width = Math.max(clockEms(hours.slice(0, -1)), clockEms(minutes));
  return (
    <span className="stage-clock" style={{ "--line-ems": width } as CSSProperties}>
      {hours && <span>{hours}</span>}
      <span>{minutes}</span>
    </span>
  );
}
