// The viewer's goals, with the form of a new goal; visitors see an example (P-14, U-15).
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData, useSearchParams } from "@remix-run/react";
import clsx from "clsx";
import { lazy, useMemo } from "react";
import { z } from "zod";
import { GoalCard } from "~/components/goals/card";
import { GoalEditor } from "~/components/goals/editor";
import { GoalSearch } from "~/components/goals/search";
import { TodayPart } from "~/components/goals/today-part";
import { MyClock } from "~/components/layout/my-clock";
import { MyTabs } from "~/components/layout/my-tabs";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { Icon } from "~/components/pictures/icon";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { LazyPart } from "~/components/ui/lazy-part";
import { Notice } from "~/components/ui/notice";
import { Pagination } from "~/components/ui/pagination";
import { TextLink } from "~/components/ui/text-link";
import { GOAL_CREATED } from "~/domain/goals/goals";
import { isRunning } from "~/domain/goals/log-state";
import type { LogShown } from "~/domain/goals/logs";
import { oneLine } from "~/domain/text-fields";
import { GOAL_ANCHORS } from "~/domain/tour-anchors";
import { useHasMounted } from "~/hooks/form/use-inline-edit";
import { useShell } from "~/hooks/use-shell";
import { load } from "~/http/load.server";
import { myAction } from "~/routes/my-action.server";
import { viewMyGoals } from "~/use-cases/my.server";
import { page } from "~/wire/values";

// A lazy part, because only visitors see it.
const ExampleGoal = lazy(async () => ({
  default: (await import("~/components/goals/example-goal")).ExampleGoal,
}));

const queryText = oneLine().max(100).optional().catch(undefined);
const Query = z.object({
  page,
  q: queryText,
  tag: queryText,
  status: z.enum(["open", "completed"]).optional().catch(undefined),
});

export const loader = (args: LoaderFunctionArgs) => load(args, viewMyGoals, { input: Query });
export const action = (args: ActionFunctionArgs) => myAction(args);
export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title: "My Goals",
    description: "What you want to do and how far you are. Start a timer, tick a list or log with one tap.",
  });

export default function MyGoals() {
  const data = useLoaderData<typeof loader>();
  const { viewer } = useShell();
  const [query, setQuery] = useSearchParams();
  const isCreating = query.get("create") === "1";
  const isOpenedByPress = useHasMounted();
  const createdGoalId = query.get("created");
  // An empty page has its only button in the middle.
  const isEmpty = data.rows.length === 0 && data.page === 1 && data.tags.length === 0 && !query.get("q");
  const hasToggle = viewer && (isCreating || !isEmpty || query.get("status"));
  const isAnotherActionFirst =
    data.openLogs.some(isRunning) || data.goalsOfToday?.goals.some(({ place }) => place === "due") === true;
  return (
    <MyClock>
      <Page
        title="My Goals"
        tabs={<MyTabs />}
        actions={hasToggle && <CreateToggle isOpen={isCreating} isQuiet={isAnotherActionFirst} />}
      >
        {createdGoalId && (
          <Notice tone="success" isLive>
            {GOAL_CREATED} <TextLink to={`/my/goals/${createdGoalId}`}>View goal</TextLink>
          </Notice>
        )}
        {viewer && isCreating && (
          <Card as="section" className="flex flex-col gap-4">
            <h2 className="text-lg">Create a Goal</h2>
            <GoalEditor
              goal={null}
              newUuid={data.newUuid}
              takesFocus={isOpenedByPress}
              onDone={() => setQuery(withoutForm, { preventScrollReset: true })}
            />
          </Card>
        )}
        {viewer ? (
          <OwnGoals />
        ) : (
          <LazyPart>
            <ExampleGoal today={data.today} />
          </LazyPart>
        )}
        {viewer && (
          <p className={clsx("needs-script", isEmpty && !isCreating && "-mt-10 text-center")}>
            <TextLink to="/my/goals?tour=goal">Show me how goals work</TextLink>
          </p>
        )}
      </Page>
    </MyClock>
  );
}

/** The query that closes the form. */
const withoutForm = (query: URLSearchParams) => {
  query.delete("create");
  return query;
};

/** The button is quiet while a timer runs or a goal is due, because then that is the emphasised element. */
function CreateToggle({ isOpen, isQuiet }: { isOpen: boolean; isQuiet: boolean }) {
  const [query] = useSearchParams();
  const next = new URLSearchParams(query);
  next.delete("created");
  if (isOpen) next.delete("create");
  else next.set("create", "1");
  return (
    <Button asChild variant={isOpen || isQuiet ? "quiet" : "primary"}>
      <Link to={`?${next}`} preventScrollReset aria-keyshortcuts="c" data-tour={GOAL_ANCHORS.newCreateGoal}>
        <Icon name={isOpen ? "close" : "plus"} />
        {isOpen ? "Close the form" : "Create a Goal"}
      </Link>
    </Button>
  );
}

function OwnGoals() {
  const data = useLoaderData<typeof loader>();
  const [query] = useSearchParams();
  const { viewer } = useShell();
  const openLogsByGoal = useMemo(() => indexByGoal(data.openLogs), [data.openLogs]);
  const shownGoals = data.rows.slice(0, data.perPage);
  const hasFilter = Boolean(query.get("q") || query.get("tag") || query.get("status"));
  const isCreating = query.get("create") === "1";
  const { goalsOfToday } = data;
  const hasToday =
    !hasFilter &&
    data.page === 1 &&
    goalsOfToday &&
    goalsOfToday.goals.length + goalsOfToday.openLogs.length > 0;
  return (
    <>
      {hasToday && <TodayPart today={goalsOfToday} />}
      {(shownGoals.length > 3 || data.page > 1 || hasFilter) && <GoalSearch tags={data.tags} />}
      {shownGoals.length === 0 && isCreating ? null : shownGoals.length === 0 ? (
        <EmptyState
          drawing="path"
          action={
            !hasFilter && (
              <Button asChild variant="primary" size="lg">
                <Link
                  to="?create=1"
                  preventScrollReset
                  aria-keyshortcuts="c"
                  data-tour={GOAL_ANCHORS.newCreateGoal}
                >
                  <Icon name="plus" />
                  Create a Goal
                </Link>
              </Button>
            )
          }
        >
          <p>No goals found :(</p>
          {!hasFilter && (
            <p>What would you like to do, or do more of? Name it, and log the first step with one tap.</p>
          )}
        </EmptyState>
      ) : (
        <ul aria-label="Goals" className="grid items-start gap-4 lg:grid-cols-2">
          {shownGoals.map(({ goal, tags, days, measures }) => (
            <GoalCard
              key={goal.uuid}
              goal={goal}
              isOwner
              username={viewer?.username ?? ""}
              path={`/my/goals/${goal.id}`}
              tags={tags}
              days={days}
              measures={measures}
              today={data.today}
              openLogs={openLogsByGoal.get(goal.id) ?? NO_OPEN_LOGS}
              startsEditing={query.get("edit") === String(goal.id)}
            />
          ))}
        </ul>
      )}
      <Pagination page={data.page} hasNext={data.rows.length > data.perPage} />
    </>
  );
}

const NO_OPEN_LOGS: LogShown[] = [];
function indexByGoal(logs: LogShown[]): Map<number, LogShown[]> {
  const logsByGoal = new Map<number, LogShown[]>();
  for (const log of logs) {
    if (log.goalId === null) continue;
    logsByGoal.set(log.goalId, [...(logsByGoal.get(log.goalId) ?? []), log]);
  }
  return logsByGoal;
}
