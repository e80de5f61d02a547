// A span of time in words, such as "Today 9:16–9:24 PM".
import { useShell } from "~/hooks/use-shell";
import { spanText } from "./span-text";
import { absoluteText } from "./time-text";

export function TimeSpan({ from, to }: { from: number; to: number }) {
  const { locale, timeZone, now } = useShell();
  const whole = (at: number) => absoluteText(at, { locale, timeZone, now, look: "full" });
  return (
    <time
      dateTime={new Date(from).toISOString()}
      title={`${whole(from)} – ${whole(to)}`}
      suppressHydrationWarning
    >
      {spanText(from, to, { locale, timeZone, now })}
    </time>
  );
}
