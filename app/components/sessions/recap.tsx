// The recap of a session. A viewer who came sees how long, with whom and what is next; a fold holds planned and
// actual times, parts, people and totals (G-33).
import type { ReactNode } from "react";
import { ButtonForm } from "~/components/form/button-form";
import { Section } from "~/components/layout/page";
import { Icon } from "~/components/pictures/icon";
import { CheckMark } from "~/components/room/ready";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { TextLink } from "~/components/ui/text-link";
import { Time } from "~/components/ui/time";
import { TimeSpan } from "~/components/ui/time-span";
import { formatDuration } from "~/domain/duration-text";
import type { LogShown } from "~/domain/goals/logs";
import { decimalText, deedText, logMeasures } from "~/domain/goals/measure-text";
import { nameOfSeat } from "~/domain/room/guest-names";
import { canLogTime, loggedSpan, type NextDate, satText, tickText } from "~/domain/sessions/after";
import { joiningSentence } from "~/domain/sessions/leaving";
import type { AfterSession, SessionRecapView } from "~/domain/sessions/view";
import { type Instant, SECOND } from "~/domain/time";
import { useReader } from "~/hooks/use-shell";
import { Contributions } from "./contributions";
import { JoinCodeForm } from "./join-code-form";

export function SessionRecap({ view }: { view: SessionRecapView }) {
  const { session, me, recap, myLogs, after } = view;
  const canLog = after !== null && canLogTime({ ...after, logs: myLogs });
  return (
    <div className="flex max-w-3xl flex-col gap-8">
      {after ? (
        <section className="flex flex-col gap-4">
          <h2 className="text-xl">{satText(after)}</h2>
          {after.line && (
            <p className="flex items-start gap-2">
              <span className={after.line.isDone ? "text-pine" : "text-soft"}>
                <CheckMark isFilled={after.line.isDone} />
              </span>
              <span className="min-w-0 wrap-anywhere">
                <span className="sr-only">{tickText(after.line)}: </span>
                {after.line.text}
              </span>
            </p>
          )}
          <LogTime after={after} title={session.title} canLog={canLog} />
          {after.next && <NextDateRow next={after.next} isFirst={!canLog} />}
        </section>
      ) : (
        <h2 className="text-xl">Recap</h2>
      )}
      {recap.hostLines.length > 0 && (
        <Section title="Lines on all screens">
          <ul aria-label="Lines on all screens" className="flex flex-col">
            {recap.hostLines.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the session is over, so lines never change order.
              <Row key={index}>{line}</Row>
            ))}
          </ul>
        </Section>
      )}
      {session.contributions.length > 0 && (
        <Section title="Contributions">
          <Contributions contributions={session.contributions} />
        </Section>
      )}
      {myLogs.length > 0 && (
        <Section title="Your logs">
          <ul aria-label="Your logs" className="flex flex-col">
            {myLogs.map((log) => (
              <Row key={log.uuid}>
                <MyLog log={log} />
              </Row>
            ))}
          </ul>
        </Section>
      )}
      <Figures view={view} />
      <p className="flex flex-wrap gap-x-5 gap-y-2 print:hidden">
        <TextLink to={session.path}>Back to the session</TextLink>
        {me.series && <TextLink to={me.series.address}>All dates of this series</TextLink>}
      </p>
    </div>
  );
}

/** The times, parts, people and goals of the session, folded for viewers who came. */
function Figures({ view: { session, recap, after } }: { view: SessionRecapView }) {
  const reader = useReader();
  const { parts, people, goals } = recap;
  const loggedGoals = goals.filter(({ amount, distance, duration }) => amount + distance + duration > 0);
  return (
    <details open={after === null} className="is-printed group/figures">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 border-t border-line font-semibold marker:content-none">
        <Icon name="right" className="transition-transform group-open/figures:rotate-90" />
        Figures{recap.isWhole && " and files"}
      </summary>
      <div className="flex flex-col gap-8 pt-4">
        <Section title="Times">
          <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
            <dt className="text-soft">Planned</dt>
            <dd>
              <SpanText from={recap.plannedStart} to={recap.plannedEnd} emptyText="Started by hand" />
            </dd>
            <dt className="text-soft">Actual</dt>
            <dd>
              <SpanText from={recap.startedAt} to={recap.endedAt} />
            </dd>
            <dt className="text-soft">People</dt>
            <dd className="tabular">
              {recap.came} came, {recap.missed} missed it
            </dd>
            <dt className="text-soft">Chat</dt>
            <dd className="tabular">{recap.lines === 1 ? "1 line" : `${recap.lines} lines`}</dd>
          </dl>
          {recap.isWhole && (
            <p className="flex flex-wrap gap-x-5 gap-y-2 print:hidden">
              <TextLink to={`${session.path}/recap.csv`} reloadDocument>
                Download as CSV
              </TextLink>
              <TextLink to={`${session.path}/recap.markdown`} reloadDocument>
                Download as Markdown
              </TextLink>
              <TextLink to={`${session.path}/attendance.csv`} reloadDocument>
                Download attendance
              </TextLink>
            </p>
          )}
        </Section>
        {parts.length > 0 && (
          <Section title="Timers">
            <ul aria-label="Timers" className="flex flex-col">
              {parts.map((part, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: parts never change order here.
                <Row key={index}>
                  <span className="min-w-0 wrap-anywhere font-semibold">
                    {part.title || `Timer ${index + 1}`}
                  </span>
                  <span className="tabular text-soft">
                    {part.planned === null
                      ? "added during the session"
                      : `planned ${formatDuration(part.planned)}`}
                  </span>
                  {part.startedAt === null || part.endedAt === null ? (
                    <span className="text-soft">did not run</span>
                  ) : (
                    <span className="tabular">
                      <TimeSpan from={part.startedAt} to={part.endedAt} /> (
                      {formatDuration(Math.round((part.endedAt - part.startedAt) / SECOND))})
                    </span>
                  )}
                  {part.added !== 0 && (
                    <span className="tabular text-soft">
                      {part.added > 0 ? "+" : "−"}
                      {formatDuration(Math.abs(part.added))}
                    </span>
                  )}
                  {part.paused >= SECOND && (
                    <span className="tabular text-soft">
                      paused for {formatDuration(Math.round(part.paused / SECOND))}
                    </span>
                  )}
                </Row>
              ))}
            </ul>
          </Section>
        )}
        <Section title={recap.isWhole ? "People" : "You"}>
          <ul aria-label="People" className="flex flex-col">
            {people.map((person) => (
              <Row key={person.username}>
                <span className="min-w-0 break-all font-semibold">{nameOfSeat(person)}</span>
                <Badge tone={person.hasCome ? "pine" : "neutral"}>{person.hasCome ? "Came" : "Missed"}</Badge>
                <span className="tabular text-soft">{formatDuration(person.seconds)}</span>
              </Row>
            ))}
          </ul>
        </Section>
        {loggedGoals.length > 0 && (
          <Section title="Goals">
            <ul aria-label="Goals" className="flex flex-col">
              {loggedGoals.map((goal, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: goals never change order here.
                <Row key={index}>
                  <span className="min-w-0 wrap-anywhere font-semibold">{goal.title}</span>
                  {goal.amount > 0 && (
                    <span className="tabular">
                      {decimalText(goal.amount, reader)} {goal.unit}
                    </span>
                  )}
                  {goal.duration >= SECOND && (
                    <span className="tabular">{formatDuration(Math.round(goal.duration / SECOND))}</span>
                  )}
                </Row>
              ))}
            </ul>
          </Section>
        )}
      </div>
    </details>
  );
}

/** The next date: a button that joins it, or the viewer's seat. `isFirst`: no other action comes before it. */
function NextDateRow({ next, isFirst }: { next: NextDate; isFirst: boolean }) {
  const dateLink = (
    <span>
      Next:{" "}
      <TextLink to={next.path}>
        <Time at={next.startedAt} />
      </TextLink>
    </span>
  );
  if (next.isJoined || !next.canJoin)
    return (
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {dateLink}
        {next.isJoined ? <Badge tone="ember">You have a seat</Badge> : <Badge>Full</Badge>}
      </p>
    );
  return (
    <JoinCodeForm intent="join" action={next.path} needsCode={next.needsCode} linkCode="" posted={undefined}>
      {(isBusy) => (
        <>
          {dateLink}
          <Button
            type="submit"
            variant={isFirst ? "primary" : "quiet"}
            className="self-start"
            isLoading={isBusy}
          >
            I come
          </Button>
          <span className="text-sm text-soft print:hidden">{joiningSentence(next)}</span>
        </>
      )}
    </JoinCodeForm>
  );
}

/** Buttons that log the viewer's time to a goal. A viewer without goals, or whose own timer ran, gets none. */
function LogTime({ after, title, canLog }: { after: AfterSession; title: string; canLog: boolean }) {
  const { goals, loggedTo, logUuid, seconds } = after;
  const span = formatDuration(loggedSpan(seconds));
  if (loggedTo)
    return (
      <p className="flex items-center gap-2">
        <Icon name="check" className="text-pine" />
        <span>
          {span} logged to <TextLink to={`/my/goals/${loggedTo.id}`}>{loggedTo.title}</TextLink>
        </span>
      </p>
    );
  if (!canLog) return null;
  return (
    <div className="flex flex-wrap gap-2 empty:hidden print:hidden">
      {goals.map((goal, index) => (
        <ButtonForm
          key={goal.id}
          action="/my/goals"
          fields={{ intent: "log.create", goal: goal.id, uuid: logUuid, duration: span, title }}
        >
          {(isBusy) => (
            <Button type="submit" variant={index === 0 ? "primary" : "quiet"} isLoading={isBusy}>
              Log {span} to {goal.title}
            </Button>
          )}
        </ButtonForm>
      ))}
    </div>
  );
}

/** The goal's title, the log's own, and its measures. */
function MyLog({ log }: { log: LogShown }) {
  // The unit of a goal that is gone is in the log's title.
  const reader = useReader();
  const isGoalGone = !log.goal && log.sessionGoalUuid !== null;
  const measures = [
    isGoalGone && log.amount ? decimalText(log.amount, reader) : "",
    logMeasures(
      isGoalGone ? { ...log, amount: null } : log,
      log.goal?.unit ?? "",
      log.elapsedDuration,
      reader,
    ),
  ]
    .filter(Boolean)
    .join(" · ");
  const deed = deedText(log.action, measures);
  const title = log.goal?.title || log.title || deed || "Progress";
  return (
    <>
      <span className="min-w-0 wrap-anywhere font-semibold">
        {log.goalId === null || log.goal === null || log.sessionGoalUuid === log.goal.uuid ? (
          title
        ) : (
          <TextLink to={`/my/goals/${log.goalId}`}>{title}</TextLink>
        )}
      </span>
      {log.title && log.title !== title && <span className="min-w-0 wrap-anywhere">{log.title}</span>}
      {deed && deed !== title && <span className="tabular">{deed}</span>}
      <span className="tabular text-soft">
        <Time at={log.createdAt} look="time" />
      </span>
    </>
  );
}

const Row = ({ children }: { children: ReactNode }) => (
  <li className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-b border-line py-3">{children}</li>
);

function SpanText({
  from,
  to,
  emptyText = "",
}: {
  from: Instant | null;
  to: Instant | null;
  emptyText?: string;
}) {
  if (from === null || to === null) return <span>{emptyText}</span>;
  return (
    <span className="tabular">
      <Time at={from} look="full" /> to <Time at={to} look="time" /> (
      {formatDuration(Math.round((to - from) / SECOND))})
    </span>
  );
}
