// The initial values of the session form: from an activity, a template, another session to repeat, or the session
// itself.

import { listTemplates } from "#db/queries/activities/activities";
import * as categoryQueries from "#db/queries/activities/categories";
import * as goalCopies from "#db/queries/goals/copies";
import * as hutQueries from "#db/queries/huts/huts";
import { listBookTitles } from "#db/queries/passages";
import type { SessionRow } from "#db/queries/sessions/sessions";
import * as sessionWrites from "#db/queries/sessions/writes";
import { roundUpToHour } from "~/domain/date-text";
import { AppError } from "~/domain/errors";
import { withPresentHut } from "~/domain/huts/huts";
import { allow, isSuperAdmin, requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import { asOnOtherDates, emptySchedule } from "~/domain/schedule/schedule";
import type { Scope } from "~/domain/series/form";
import { comesWithActivity } from "~/domain/sessions/place";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import type { SessionForm, SessionFormValues } from "~/domain/sessions/view";
import { seconds } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { liveRow, mayHost, mayRun, readSession, versionWithGoals, viewRoomIf } from "./read.server";
import { startOfNext } from "./repeat.server";
import { type HostedTemplate, readTemplate } from "./template.server";

/** `session` is the session to update; `activity` or `template` the slug of a new session's source. */
export type SessionFormQuery = {
  session?: number | undefined;
  scope?: Scope | undefined;
  activity?: string | undefined;
  template?: string | undefined;
  hut?: string | undefined;
  /** The session that a new one repeats. */
  repeats?: number | undefined;
};

/** The templates among which a host searches. */
const MAX_LISTED_TEMPLATES = 50;
/** Maximum books that the form offers. */
const MAX_LISTED_BOOKS = 100;

const EMPTY_VALUES: SessionFormValues = {
  title: "",
  content: "",
  prompt: "",
  activitySlug: null,
  hutId: null,
  startedAt: null,
  duration: seconds(3600),
  isManuallyStarted: false,
  participantLimit: null,
  donationLink: "",
  meetingLink: "",
  joinCode: "",
  isFree: false,
  guestLimit: 0,
  needsHost: false,
  isTemplate: false,
  isPrivate: false,
  category: null,
  difficulty: 4,
  schedule: emptySchedule(),
};

export const formForSession = (app: App, query: SessionFormQuery): Promise<SessionForm> =>
  query.session === undefined ? newForm(app, query) : updateForm(app, query.session, query.scope ?? "this");

async function newForm(app: App, query: SessionFormQuery): Promise<SessionForm> {
  const { db } = app;
  const user = requireUser(app.user);
  const repeated = query.repeats === undefined ? null : await readTemplate(app, query.repeats);
  const slug = repeated ? (repeated.row.activitySlug ?? "") : query.activity || query.template || "";
  const [[activity], activities, templates, huts, categories, books] = await db.batch([
    sessionWrites.findActivity(db, { slug }, user.id),
    sessionWrites.listActivitiesOf(db, user.id, slug),
    listTemplates(db, MAX_LISTED_TEMPLATES),
    hutQueries.listOwnHuts(db, user.id),
    categoryQueries.listCategories(db),
    listBookTitles(db, user.id, MAX_LISTED_BOOKS),
  ]);
  if (slug !== "" && !activity) throw new AppError("NOT_FOUND", refusals.noActivity);
  const hut = huts.find((candidate) => candidate.slug === query.hut);
  // Such an activity hides the session, whatever the form says.
  const isHiddenByHut = activity?.isPrivate === true && activity.hutId !== null;
  const values: SessionFormValues = repeated
    ? { ...(await repeatedValues(app, repeated)), ...(isHiddenByHut ? { isPrivate: false } : {}) }
    : activity
      ? {
          ...EMPTY_VALUES,
          title: activity.title,
          content: activity.content,
          activitySlug: activity.slug,
          // A hut that the user does not belong to is none to them.
          hutId: huts.some(({ id }) => id === activity.hutId) ? activity.hutId : null,
          isPrivate: activity.hutId === null && activity.isPrivate,
          duration: activity.duration,
          isManuallyStarted: activity.isManuallyStarted,
          category: activity.category,
          difficulty: activity.difficulty,
          schedule: asOnOtherDates(activity.schedule),
        }
      : EMPTY_VALUES;
  return {
    id: null,
    uuid: crypto.randomUUID(),
    values: {
      ...values,
      ...(hut ? { hutId: hut.id } : {}),
      startedAt: values.startedAt ?? (values.isManuallyStarted ? null : roundUpToHour(app.now, app.timeZone)),
    },
    activities,
    templates: slug === "" ? templates.map(({ slug, title }) => ({ slug, title })) : [],
    books,
    huts:
      repeated && comesWithActivity(repeated.row.hutId, activity) ? withPresentHut(huts, repeated.row) : huts,
    categories,
    repeats: query.repeats ?? null,
    scope: null,
    goals: repeated ? repeated.goals : activity ? await goalCopies.listActivityGoals(db, activity.id) : [],
    status: SESSION_STATUS.waiting,
    mayEditTexts: true,
    canHost: true,
    canRun: true,
    participantsCount: 1,
    waitersCount: 0,
  };
}

/** The settings of a session that only its host changes. */
const hostSettings = (row: SessionRow) => ({
  participantLimit: row.participantLimit,
  donationLink: row.donationLink,
  meetingLink: row.meetingLink,
  joinCode: row.joinCode,
  isFree: row.isFree,
  guestLimit: row.guestLimit,
  needsHost: row.needsHost,
});

async function repeatedValues(app: App, { row, template }: HostedTemplate): Promise<SessionFormValues> {
  return {
    title: template.title,
    content: template.content ?? "",
    prompt: template.prompt ?? "",
    activitySlug: row.activitySlug,
    hutId: row.hutId,
    startedAt: await startOfNext(app, row),
    duration: row.duration,
    isManuallyStarted: row.isManuallyStarted,
    ...hostSettings(row),
    isTemplate: false,
    isPrivate: row.hutId === null && row.isPrivate,
    category: row.category,
    difficulty: row.difficulty,
    schedule: asOnOtherDates(row.schedule),
  };
}

async function updateForm(app: App, session: number, scope: Scope): Promise<SessionForm> {
  const { db } = app;
  const user = requireUser(app.user);
  const reading = readSession(app, { session });
  const [row, [huts, categories, goals], view] = await Promise.all([
    reading,
    db.batch([
      hutQueries.listOwnHuts(db, user.id),
      categoryQueries.listCategories(db),
      goalCopies.listSessionGoals(db, session),
    ]),
    viewRoomIf(app, session, async () => Boolean(await reading)),
  ]);
  allow(mayRun(app, row), refusals.hostAndAdminsChange);
  const live = liveRow(row, view);
  const status = statusAt(live, app.now);
  const { series } = row;
  const isSeriesMine = series?.hasEnded === 0 && (series.ownerId === user.id || isSuperAdmin(user));
  return {
    id: row.id,
    since: versionWithGoals(live),
    uuid: crypto.randomUUID(),
    repeats: null,
    scope: isSeriesMine && status === SESSION_STATUS.waiting ? scope : null,
    values: {
      title: live.title,
      content: live.content,
      prompt: live.prompt,
      activitySlug: row.activitySlug,
      hutId: row.hutId,
      startedAt: live.startedAt,
      duration: row.duration,
      isManuallyStarted: row.isManuallyStarted,
      ...hostSettings(row),
      isTemplate: row.isTemplate,
      isPrivate: row.hutId === null && row.isPrivate,
      category: row.category,
      difficulty: row.difficulty,
      schedule: live.schedule,
    },
    activities:
      row.activityId === null
        ? []
        : [
            {
              id: row.activityId,
              slug: row.activitySlug ?? "",
              title: row.activityTitle ?? "A private activity",
            },
          ],
    templates: [],
    books: [],
    huts: withPresentHut(huts, row),
    categories,
    goals,
    status,
    mayEditTexts: status !== SESSION_STATUS.ended || isSuperAdmin(user),
    canHost: mayHost(app, row),
    canRun: true,
    participantsCount: row.participantsCount,
    waitersCount: row.waiting.length,
  };
}
