// A session inside another site: its countdown, its title, its free places and Join (J-11). Only the server renders it.
import clsx from "clsx";
import { Time } from "~/components/ui/time";
import { formatClock } from "~/domain/duration-text";
import type { EmbedView } from "~/domain/sessions/embed";
import { SESSION_STATUS } from "~/domain/sessions/status";
import { useShell } from "~/hooks/use-shell";
import { placesText } from "./series-dates";

export function EmbedCard({ view: { title, path, session, look } }: { view: EmbedView }) {
  const isOver = session !== null && session.status === SESSION_STATUS.ended;
  return (
    <main
      data-theme={look === "clear" ? "light" : (look ?? "system")}
      className={clsx("embed-card", look === "clear" && "is-clear")}
    >
      <p className="embed-when">
        <When session={session} />
      </p>
      <h1 className="embed-title">{title}</h1>
      {session && !isOver && <p className="text-soft">{placesText(session)}</p>}
      {/* Joining opens a tab of its own, because nobody should sign in inside a frame of another site. */}
      <a href={path} target="_blank" rel="noopener" className="embed-join">
        {session === null || isOver ? "Open" : "Join"}
      </a>
      <script type="module" src="/embed.js" />
    </main>
  );
}

function When({ session }: Pick<EmbedView, "session">) {
  const { now } = useShell();
  if (session === null) return "The next date is not planned yet.";
  const { status, startedAt, endedAt, isCancelled } = session;
  if (isCancelled) return "Cancelled";
  if (status === SESSION_STATUS.ended) return "This session has ended.";
  const nextChangeAt = status === SESSION_STATUS.running ? endedAt : startedAt;
  if (nextChangeAt === null) return "The host starts this session.";
  return (
    <>
      {status === SESSION_STATUS.running ? "In progress, ends in " : "Starts in "}
      <span data-until={nextChangeAt} data-now={now} className="tabular">
        {formatClock(Math.max(0, nextChangeAt - now), "ceil")}
      </span>
      {status === SESSION_STATUS.waiting && (
        <span className="embed-at">
          <Time at={nextChangeAt} look="short" />
        </span>
      )}
    </>
  );
}
