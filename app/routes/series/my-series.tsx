// A series: its dates, which the host skips and moves, its standing seats, and its end (G-04, G-11 to G-13).
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { ActionForm, FormErrors, SubmitRow } from "~/components/form/action-form";
import { pickerText } from "~/components/form/date-time-input";
import { Section } from "~/components/layout/page";
import { OtherRule, SeriesTime } from "~/components/series/new-series";
import { SeriesPage, seriesMeta } from "~/components/series/page";
import { SeriesPerson } from "~/components/series/person";
import { Rota } from "~/components/series/rota";
import { StandingCode } from "~/components/series/standing-code";
import { TurnNotice } from "~/components/series/turn-notice";
import { ViewLink } from "~/components/sessions/view-link";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { ConfirmDialog } from "~/components/ui/confirm-dialog";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { Notice } from "~/components/ui/notice";
import { TextLink } from "~/components/ui/text-link";
import type { SeriesDay, SeriesView } from "~/domain/series/view";
import {
  DayChoice,
  HostChoice,
  MoveInput,
  PlaceInput,
  RuleInput,
  RuleQuery,
  SeriesChoice,
  StandingInput,
  TurnChoice,
} from "~/forms/series/series";
import { useActionForm } from "~/hooks/form/use-action-form";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { changeRuleByForm } from "~/use-cases/series/change-rule.server";
import { acceptTurn, inviteOrMoveHost, removeRotaHost } from "~/use-cases/series/rota.server";
import { changeDay, endSeries, pauseSeries } from "~/use-cases/series/series.server";
import { giveUpStandingSeat, takeStandingSeat } from "~/use-cases/series/standing.server";
import { viewSeriesPage } from "~/use-cases/series/view.server";
import { makeSeriesViewLink, revokeSeriesViewLink } from "~/use-cases/series/view-links.server";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, viewSeriesPage, { input: RuleQuery, whenSignedOut: "redirect" });

const PauseChoice = SeriesChoice.transform((choice) => ({ ...choice, isPaused: true }));
const ResumeChoice = SeriesChoice.transform((choice) => ({ ...choice, isPaused: false }));
const SkipChoice = DayChoice.transform((choice) => ({ ...choice, isSkipped: true }));
const TakeUpChoice = DayChoice.transform((choice) => ({ ...choice, isSkipped: false }));

export const action = (args: ActionFunctionArgs) =>
  act(args, {
    pause: on(PauseChoice, pauseSeries, { toast: "The series is paused." }),
    resume: on(ResumeChoice, pauseSeries, { toast: "The series goes on." }),
    end: on(SeriesChoice, endSeries, { toast: "The series has ended.", redirectTo: () => "/my/series" }),
    rule: on(RuleInput, changeRuleByForm, {
      toast: "The series follows its new rule.",
      showsErrorsOf: ["rule"],
      redirectTo: ({ series }) => series.path,
    }),
    "day.skip": on(SkipChoice, changeDay, { toast: "The day is skipped." }),
    "day.take-up": on(TakeUpChoice, changeDay, { toast: "The day is back." }),
    "day.move": on(MoveInput, changeDay, { toast: "The day is moved." }),
    "view-link": on(SeriesChoice, makeSeriesViewLink, { rendersResult: true }),
    "view-link.end": on(SeriesChoice, revokeSeriesViewLink, { toast: "The link shows nothing any more." }),
    "host.invite": on(HostChoice, inviteOrMoveHost, { toast: "The invitation is on its way." }),
    "host.move": on(PlaceInput, inviteOrMoveHost, { toast: "The order is saved." }),
    "host.remove": on(HostChoice, removeRotaHost, { toast: "Done." }),
    "host.leave": on(HostChoice, removeRotaHost, {
      toast: "You do not host this series.",
      redirectTo: () => "/my/series",
    }),
    "host.accept": on(TurnChoice, acceptTurn, {
      toast: "Your answer is saved: you host this series in turn.",
    }),
    "standing.take": on(StandingInput, takeStandingSeat, { toast: "You go on joining every time." }),
    "standing.end": on(SeriesChoice, giveUpStandingSeat, {
      toast: "You join each session yourself.",
      redirectTo: () => "/my/series",
    }),
  });

export const meta: MetaFunction<typeof loader> = seriesMeta;

export default function MySeries() {
  const view = useLoaderData<typeof loader>();
  const { series, days, holders, draft, viewLink } = view;
  const nextDay =
    draft && days.find(({ state, at, isUndated }) => state === "laid" && !isUndated && at > view.now);
  const isOpen = !series.hasEnded;
  return (
    <SeriesPage
      series={series}
      parentCrumb={{ label: "My Series", to: "/my/series" }}
      actions={
        <>
          <Button asChild>
            <Link to={series.address}>See its page</Link>
          </Button>
          {series.isMine && isOpen && <HostActions view={view} />}
        </>
      }
    >
      {series.problem !== "" && <Notice tone="warning">{series.problem}</Notice>}
      {isOpen && series.codeExpiresAt !== null && (
        <StandingCode seriesId={series.id} until={series.codeExpiresAt} />
      )}
      {!series.isMine && series.standingSince !== null && <StandingNotice />}
      {isOpen && series.turn !== null && !series.isMine && <TurnNotice series={series} />}
      {isOpen && (
        <Section title="Next dates">
          <ul aria-label="Next dates" className="flex flex-col">
            {days.map((day) => (
              <DayRow key={day.day} day={day} view={view} />
            ))}
          </ul>
          {nextDay?.session && (
            <p>
              <TextLink to={`/events/${nextDay.session.id}/update?scope=all`}>
                Change all upcoming sessions
              </TextLink>
            </p>
          )}
          {draft && <OtherRule draft={draft} />}
        </Section>
      )}
      {isOpen && (series.isMine || series.turn !== null) && <Rota view={view} />}
      {series.isMine && isOpen && viewLink !== null && <ViewLink isMade={viewLink.isMade} />}
      {series.isMine && (
        <Section title={`Standing seats (${series.holdersCount})`}>
          {holders.length === 0 ? (
            <p className="text-soft">Nobody joins every time yet.</p>
          ) : (
            <ul aria-label="Standing seats" className="flex flex-wrap gap-x-4 gap-y-2">
              {holders.map(({ username }) => (
                <li key={username}>
                  <SeriesPerson username={username} />
                </li>
              ))}
            </ul>
          )}
        </Section>
      )}
    </SeriesPage>
  );
}

function HostActions({ view: { series, unstarted } }: { view: SeriesView }) {
  const pauseForm = useActionForm({ intent: series.isPaused ? "resume" : "pause" });
  const sessions =
    unstarted === 1 ? "1 session that has not begun is" : `${unstarted} sessions that have not begun are`;
  return (
    <>
      <ActionForm form={pauseForm}>
        <Button type="submit" isLoading={pauseForm.isBusy}>
          {series.isPaused ? "Go on" : "Pause"}
        </Button>
        <FormErrors form={pauseForm} />
      </ActionForm>
      <ConfirmDialog
        trigger={<Button>End the series</Button>}
        title="End this series?"
        confirmLabel="End the series"
        cancelLabel="Keep it"
        form={{ fields: { intent: "end" } }}
      >
        {sessions} cancelled, and everybody who paid gets their token back.
      </ConfirmDialog>
    </>
  );
}

function StandingNotice() {
  const form = useActionForm({ intent: "standing.end", redirects: true });
  return (
    <ActionForm form={form} className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <p>You have a seat in each session that is laid out. You keep the seats that you have.</p>
      <Button type="submit" variant="quiet" isLoading={form.isBusy}>
        Stop joining every time
      </Button>
      <FormErrors form={form} />
    </ActionForm>
  );
}

const STATE_LABELS = { planned: "Planned", skipped: "Skipped", cancelled: "Cancelled", laid: "" } as const;

function DayRow({ day, view: { series, timeZone, now } }: { day: SeriesDay; view: SeriesView }) {
  const mayChange = series.isMine && day.state !== "cancelled" && (day.isUndated || day.at > now);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line py-3">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        {day.session ? (
          <TextLink to={`/sessions/${day.session.id}`}>
            <SeriesTime at={day.at} timeZone={timeZone} />
          </TextLink>
        ) : (
          <SeriesTime at={day.at} timeZone={timeZone} />
        )}
        {STATE_LABELS[day.state] && <Badge>{STATE_LABELS[day.state]}</Badge>}
        {day.isMoved && <Badge>Moved</Badge>}
        {day.isUndated && <Badge>Without a start</Badge>}
        {day.session && day.state === "laid" && (
          <span className="text-sm text-soft tabular">{day.session.participantsCount} taking part</span>
        )}
      </div>
      {mayChange && <DayForms day={day} timeZone={timeZone} />}
    </li>
  );
}

function DayForms({ day, timeZone }: { day: SeriesDay; timeZone: string }) {
  const isSkipped = day.state === "skipped";
  const skipForm = useActionForm({
    intent: isSkipped ? "day.take-up" : "day.skip",
    hiddenFields: { day: day.day },
  });
  const moveForm = useActionForm({ intent: "day.move", hiddenFields: { day: day.day, timeZone } });
  return (
    <div className="flex flex-wrap items-start gap-2">
      {day.state === "laid" ? (
        <ConfirmDialog
          trigger={
            <Button variant="quiet" aria-label={`Skip ${day.day}`}>
              Skip
            </Button>
          }
          title="Skip this day?"
          confirmLabel="Skip"
          cancelLabel="Keep it"
          form={{ fields: { intent: "day.skip", day: day.day } }}
        >
          Its session is cancelled, and everybody who paid gets their token back.
        </ConfirmDialog>
      ) : (
        <ActionForm form={skipForm}>
          <Button
            type="submit"
            variant="quiet"
            isLoading={skipForm.isBusy}
            aria-label={`${isSkipped ? "Do not skip" : "Skip"} ${day.day}`}
          >
            {isSkipped ? "Do not skip" : "Skip"}
          </Button>
          <FormErrors form={skipForm} />
        </ActionForm>
      )}
      {!isSkipped && (
        <details open={moveForm.isFailed}>
          <summary className="flex min-h-11 cursor-pointer items-center font-semibold">
            Move<span className="sr-only"> {day.day}</span>
          </summary>
          <ActionForm form={moveForm} className="flex flex-col gap-3 py-2">
            <Field
              label="New start"
              hint={`Times are in ${timeZone}.`}
              error={moveForm.errorsOf("startedAt")}
            >
              <TextInput type="datetime-local" name="startedAt" defaultValue={pickerText(day.at, timeZone)} />
            </Field>
            <SubmitRow form={moveForm}>Move this day</SubmitRow>
          </ActionForm>
        </details>
      )}
    </div>
  );
}
