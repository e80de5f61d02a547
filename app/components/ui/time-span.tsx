// A span of time in words, such as "Today 9:16–9:24 PM".
import { useShell } from "~/hooks/use-shell";
import { spanWords } from "./span-text";
import { absoluteText } from "./time-text";

type TimeSpanProps = {
  from: number;
  to: number;
  className?: string;
  hoursClassName?: string;
};

export function TimeSpan({ from, to, className, hoursClassName }: TimeSpanProps) {
  const { locale, timeZone, now } = useShell();
  const fullText = (at: number) => absoluteText(at, { locale, timeZone, now, look: "full" });
  const [day, hours] = spanWords(from, to, { locale, timeZone, now });
  return (
    <time
      dateTime={new Date(from).toISOString()}
      title={`${fullText(from)} – ${fullText(to)}`}
      className={className}
      suppressHydrationWarning
    >
      {day}{" "}
      <span className={hoursClassName} suppressHydrationWarning>
        {hours}
      </span>
    </time>
  );
}
