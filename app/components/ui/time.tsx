// An instant in words, the same on server and browser: time zone, locale and the first "now" come from the shell.
import { type Day, dayAt, daysBetween } from "~/domain/days";
import { instant, isReadable } from "~/domain/time";
import { useNow } from "~/hooks/use-now";
import { useShell } from "~/hooks/use-shell";
import { absoluteText, type DateLook, dayText, relativeText } from "./time-text";

export type TimeProps = {
  /** ISO 8601 or epoch milliseconds. */
  at: string | number;
  /** The visible text: a date, the distance from now, or both. The title attribute has the full date. */
  show?: "absolute" | "relative" | "both";
  /** The format of the date. */
  look?: DateLook;
  className?: string;
};

const HALF_A_MINUTE_MS = 30_000;

export function Time({ at, show = "absolute", look = "short", className }: TimeProps) {
  return show === "absolute" ? (
    <StillTime at={at} look={look} className={className} />
  ) : (
    <MovingTime at={at} show={show} look={look} className={className} />
  );
}

const msOf = (at: string | number): number => (typeof at === "number" ? at : Date.parse(at));

function StillTime({ at, look, className }: { at: string | number; look: DateLook; className?: string }) {
  const { locale, timeZone, now } = useShell();
  const ms = msOf(at);
  if (!isReadable(ms)) return null;
  return (
    <time
      dateTime={new Date(ms).toISOString()}
      title={isFullDate(look) ? undefined : absoluteText(ms, { locale, timeZone, now, look: "full" })}
      className={className}
      suppressHydrationWarning
    >
      {absoluteText(ms, { locale, timeZone, now, look })}
    </time>
  );
}

const isFullDate = (look: DateLook): boolean => look === "date" || look === "full";

function MovingTime({
  at,
  show,
  look,
  className,
}: Required<Omit<TimeProps, "className">> & { className?: string }) {
  const { locale, timeZone } = useShell();
  const now = useNow(HALF_A_MINUTE_MS);
  const ms = msOf(at);
  if (!isReadable(ms)) return null;
  const absolute = absoluteText(ms, { locale, timeZone, now, look });
  const fullText = absoluteText(ms, { locale, timeZone, now, look: "full" });
  const relative = relativeText(ms, { locale, timeZone, now });
  return (
    <time
      dateTime={new Date(ms).toISOString()}
      title={show === "both" && isFullDate(look) ? undefined : fullText}
      className={className}
      suppressHydrationWarning
    >
      {show === "relative" ? relative : `${absolute} (${relative})`}
    </time>
  );
}

/** The instant on the clock of a session's host, if it differs from the viewer's (F-25). */
export function HostTime({ at, zone }: { at: number; zone: string }) {
  const { locale, timeZone, now } = useShell();
  const textIn = (timeZone: string, look: DateLook) => absoluteText(at, { locale, timeZone, now, look });
  if (textIn(zone, "full") === textIn(timeZone, "full")) return null;
  const isSameDay = textIn(zone, "date") === textIn(timeZone, "date");
  return (
    <p className="text-sm" suppressHydrationWarning>
      <time dateTime={new Date(at).toISOString()}>{textIn(zone, isSameDay ? "time" : "full")}</time> for the
      host ({zone.replaceAll("_", " ")})
    </p>
  );
}

const NEAR_DAYS: Record<number, string> = { [-1]: "Tomorrow", 0: "Today", 1: "Yesterday" };

/** A calendar day as a heading: "Today", "Tomorrow", "Yesterday", "Wed, Nov 18". */
export function DayName({ day }: { day: Day }) {
  const { locale, timeZone, now } = useShell();
  const ago = daysBetween(day, dayAt(instant(now), timeZone));
  return (
    <time dateTime={day} suppressHydrationWarning>
      {NEAR_DAYS[ago] ?? dayText(day, { locale, now, look: "weekday" })}
    </time>
  );
}
