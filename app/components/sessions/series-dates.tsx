// The dates of the public page of a series, each with its free places and the viewer's seat (H-09).
import { SkipDate } from "~/components/sessions/skip-date";
import { Badge } from "~/components/ui/badge";
import { TextLink } from "~/components/ui/text-link";
import { Time } from "~/components/ui/time";
import type { PlaceDate, PlaceSession, SeriesPlace } from "~/domain/sessions/series-place";
import { SESSION_STATUS } from "~/domain/sessions/status";

const STATE_LABELS = { laid: "", planned: "", skipped: "Skipped", cancelled: "Cancelled" } as const;

export function SeriesDates({ view }: { view: SeriesPlace }) {
  const { dates, series, hosts } = view;
  if (dates.length === 0)
    return (
      <p className="text-soft">
        {series.hasEnded
          ? "No date is ahead."
          : series.isPaused
            ? "The series is paused."
            : "No date is ahead yet."}
      </p>
    );
  return (
    <ul aria-label="Next dates" className="flex flex-col">
      {dates.map((date) => (
        <DateRow
          key={`${date.session?.id ?? date.at}`}
          date={date}
          view={view}
          namesHost={hosts.length > 1}
        />
      ))}
    </ul>
  );
}

type RowProps = { date: PlaceDate; view: SeriesPlace; namesHost: boolean };

function DateRow({ date: { at, state, isMoved, session }, view, namesHost }: RowProps) {
  const dateText = at === null ? "When the host is ready" : <Time at={at} look="auto" />;
  return (
    <li className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line py-2">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        {session ? (
          <TextLink to={session.path}>{dateText}</TextLink>
        ) : (
          <span className={state === "planned" ? undefined : "text-soft line-through"}>{dateText}</span>
        )}
        {session?.status === SESSION_STATUS.running && <Badge tone="pine">Running now</Badge>}
        {STATE_LABELS[state] && <Badge>{STATE_LABELS[state]}</Badge>}
        {isMoved && <Badge>Moved</Badge>}
        {session?.isJoined && <Badge tone="ember">You have a seat</Badge>}
        <span className="text-sm text-soft tabular">
          {session ? placesText(session) : state === "planned" ? "Opens 28 days before" : ""}
        </span>
        {namesHost && session?.host && <span className="text-sm text-soft">with {session.host}</span>}
      </div>
      {view.series.standingSince !== null && session?.seatTerms && (
        <SkipDate session={session} startedAt={at} now={view.now} address={view.series.address} />
      )}
    </li>
  );
}

/** "3 places free", "Full", or the number of people where there is no limit. */
export function placesText({
  spotsLeft,
  participantsCount,
}: Pick<PlaceSession, "spotsLeft" | "participantsCount">): string {
  if (spotsLeft === null) return `${participantsCount} taking part`;
  if (spotsLeft <= 0) return "Full";
  return `${spotsLeft} ${spotsLeft === 1 ? "place" : "places"} free`;
}
