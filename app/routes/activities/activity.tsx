// An activity and its sessions (P-30). Following, leaving and deleting work without JavaScript.

import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { ActionForm } from "~/components/form/action-form";
import { GoalProgress } from "~/components/goals/progress";
import { Page, Section } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { HutLink } from "~/components/lists/cards";
import { DatedSessionCard } from "~/components/lists/dated-session-card";
import { ListSidebar } from "~/components/lists/list-sidebar";
import { ScheduleRibbon } from "~/components/schedule/ribbon";
import { Button } from "~/components/ui/button";
import { CardList } from "~/components/ui/card";
import { ConfirmDialog } from "~/components/ui/confirm-dialog";
import { Notice } from "~/components/ui/notice";
import { Pagination } from "~/components/ui/pagination";
import { Prose } from "~/components/ui/prose";
import { OutsideLink, TextLink } from "~/components/ui/text-link";
import { describeDuration } from "~/domain/duration-text";
import { goalMeasures } from "~/domain/goals/measure-text";
import { shownRows } from "~/domain/list-pages";
import { difficultyTitle } from "~/domain/list-terms";
import { ListQuery } from "~/domain/lists";
import { outlineOf } from "~/domain/schedule/outline";
import { oneLine } from "~/domain/text-fields";
import { SECOND } from "~/domain/time";
import { TOUR_ANCHORS } from "~/domain/tour-anchors";
import { ActivityChoice } from "~/forms/activities/activities";
import { useActionForm } from "~/hooks/form/use-action-form";
import { usePosted } from "~/hooks/form/use-posted";
import { useReader, useShell } from "~/hooks/use-shell";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { deleteActivity, followActivity, unfollowActivity } from "~/use-cases/activities/activities.server";
import { viewActivity } from "~/use-cases/activities/list.server";
import { resetBySlug } from "~/use-cases/by-slug.server";

const Query = ListQuery.extend({ slug: oneLine() });

export const loader = (args: LoaderFunctionArgs) =>
  load(args, viewActivity, { input: Query, whenSignedOut: "redirect-if-refused" });
export const action = (args: ActionFunctionArgs) =>
  act(args, {
    follow: on(ActivityChoice, followActivity, {
      toast: "You have successfully followed this activity.",
      rendersResult: true,
    }),
    leave: on(ActivityChoice, unfollowActivity, {
      toast: "You do not follow this activity any more.",
      rendersResult: ({ isPrivate, hutId, canManage }) => !isPrivate || hutId !== null || canManage,
      redirectTo: () => "/activities",
    }),
    reset: on(ActivityChoice, resetBySlug, {
      needsCheck: true,
      toast: "Its sessions that have not ended were reset.",
      rendersResult: true,
    }),
    delete: on(ActivityChoice, deleteActivity, {
      redirectTo: () => "/activities",
      toast: "The activity was deleted.",
    }),
  });

export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta(args, {
    title: `${args.data?.activity.title ?? "Activity"}`,
    description:
      args.data?.activity.summary || "An activity to follow, and to do together in timed sessions.",
  });

/** The lines of a checklist; they are ticked in a session. */
const ChecklistItems = ({ items }: { items: { uuid: string; title: string; link: string }[] }) => (
  <ul className="w-full list-disc ps-6 text-soft">
    {items.map(({ uuid, title, link }) => (
      <li key={uuid}>{link ? <OutsideLink href={link}>{title}</OutsideLink> : title}</li>
    ))}
  </ul>
);

type ActivityView = ReturnType<typeof useLoaderData<typeof loader>>["activity"];

function ActivityActions({ activity }: { activity: ActivityView }) {
  // The hooks are outside the buttons, because each button unmounts after its success.
  const follow = useActionForm({ intent: "follow" });
  const leave = useActionForm({ intent: "leave" });
  // For people of the activity the session's button is emphasised, for everybody else Follow.
  const isSessionFirst = activity.canManage || activity.isJoined;
  return (
    <div data-tour={TOUR_ANCHORS.challengeStart} className="flex flex-wrap items-center gap-2">
      {activity.canJoin && (
        <ActionForm form={follow}>
          <Button type="submit" variant={isSessionFirst ? "quiet" : "primary"} isLoading={follow.isBusy}>
            Follow
          </Button>
        </ActionForm>
      )}
      {!activity.isTemplate && (
        <Button asChild variant={isSessionFirst ? "primary" : "quiet"}>
          <Link to={`/challenges/events/create?activity=${activity.slug}`}>Create a Session</Link>
        </Button>
      )}
      {activity.isTemplate && (
        <Button asChild variant="primary">
          <Link to={`/challenges/create?template=${activity.slug}`}>Use this template</Link>
        </Button>
      )}
      {activity.canManage && (
        <Button asChild>
          <Link to={`/challenges/${activity.slug}/update`}>Update</Link>
        </Button>
      )}
      {activity.isJoined && (
        <ActionForm form={leave}>
          <Button type="submit" isLoading={leave.isBusy}>
            Leave
          </Button>
        </ActionForm>
      )}
    </div>
  );
}

export default function Activity() {
  const { activity, goals, myGoals, sessions, page, perPage, after } = useLoaderData<typeof loader>();
  const posted = usePosted();
  const { viewer, now } = useShell();
  const reader = useReader();
  const hut = activity.hutSlug
    ? [{ label: activity.hutTitle ?? activity.hutSlug, to: `/group/${activity.hutSlug}` }]
    : [];
  const outline = outlineOf(activity.schedule, activity.canManage);
  return (
    <Page
      title={activity.title}
      breadcrumbs={[
        { label: "Home", to: "/" },
        ...hut,
        { label: activity.title, to: activity.path },
        { label: "Sessions" },
      ]}
      actions={<ActivityActions activity={activity} />}
      sidebar={<ListSidebar />}
    >
      {posted?.ok && (
        <Notice tone="success" isLive>
          {posted.toast}
        </Notice>
      )}
      <p data-tour={TOUR_ANCHORS.challengeHome} className="facts text-soft">
        {activity.categoryTitle && <span>{activity.categoryTitle}</span>}
        <span>{difficultyTitle(activity.difficulty)}</span>
        <span>{describeDuration(activity.duration)}</span>
        <span className="tabular">
          {activity.followersCount} {activity.followersCount === 1 ? "follower" : "followers"}
        </span>
        <span className="tabular">
          {activity.openSessionsCount} active {activity.openSessionsCount === 1 ? "session" : "sessions"}
        </span>
        {activity.hutSlug && <HutLink slug={activity.hutSlug} />}
      </p>
      {activity.contentHtml && <Prose html={activity.contentHtml} />}
      {outline.length > 1 && (
        <Section title="Timers">
          <ScheduleRibbon
            label="The timers of this activity"
            parts={outline.map(({ id, title, seconds }) => ({
              id,
              title,
              span: seconds * SECOND,
              state: "waiting",
            }))}
          />
        </Section>
      )}
      {goals.length > 0 && (
        <Section title="Goals">
          <ul className="flex flex-col gap-1">
            {goals.map((goal) => (
              <li key={goal.uuid} className="flex flex-wrap gap-x-3">
                <span className="font-semibold">{goal.title}</span>
                <span className="tabular text-soft">{goalMeasures(goal, reader)}</span>
                {goal.items.length > 0 && <ChecklistItems items={goal.items} />}
              </li>
            ))}
          </ul>
        </Section>
      )}
      {myGoals.length > 0 && (
        <Section title="My goals">
          <ul className="flex flex-col gap-4" aria-label="My goals of this activity">
            {myGoals.map(({ goal }) => (
              <li key={goal.uuid} className="flex flex-col gap-1">
                <TextLink to={`/my/goals/${goal.id}`}>{goal.title}</TextLink>
                <GoalProgress goal={goal} totals={goal} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="Sessions" anchor={TOUR_ANCHORS.activityEvents}>
        {sessions.length === 0 ? (
          <p className="text-soft">This activity doesn't have any active events.</p>
        ) : (
          <CardList label="Sessions of this activity">
            {shownRows(sessions, { perPage }).map((session) => (
              <DatedSessionCard key={session.id} session={session} now={now} />
            ))}
          </CardList>
        )}
        <Pagination page={page} hasNext={after !== null} after={after} />
      </Section>
      {activity.mayReset && (
        <ConfirmDialog
          trigger={<Button className="self-start">Reset challenge</Button>}
          title={`Reset the sessions of "${activity.title}"?`}
          confirmLabel="Reset"
          form={{ fields: { intent: "reset" } }}
        >
          Those that have not ended go back to awaiting participants. Logs stay.
        </ConfirmDialog>
      )}
      {activity.canManage && viewer && (
        <ConfirmDialog
          trigger={<Button className="self-start">Delete this activity</Button>}
          title={`Delete "${activity.title}"?`}
          confirmLabel="Delete"
          form={{ fields: { intent: "delete" } }}
        >
          Its ended sessions and their logs stay. This cannot be undone.
        </ConfirmDialog>
      )}
    </Page>
  );
}
