// All logs of the viewer, newest first, including those in sessions (P-18, U-18).
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { exampleLog } from "~/components/goals/examples";
import { LogList } from "~/components/goals/log-list";
import { OwnSearch } from "~/components/goals/own-search";
import { MyClock } from "~/components/layout/my-clock";
import { MyPage } from "~/components/layout/my-page";
import { pageMeta } from "~/components/layout/page-meta";
import { SignInWarning } from "~/components/layout/sign-in-warning";
import { PagedList } from "~/components/lists/paged-list";
import { Button } from "~/components/ui/button";
import { TextLink } from "~/components/ui/text-link";
import type { LogShown } from "~/domain/goals/logs";
import { instant } from "~/domain/time";
import { useShell } from "~/hooks/use-shell";
import { load } from "~/http/load.server";
import { myAction } from "~/routes/my-action.server";
import { type FoundLogs, viewMyLogs } from "~/use-cases/my.server";
import { paging, search, until } from "~/wire/values";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, viewMyLogs, { input: z.object({ ...paging, q: search, until }) });
export const action = (args: ActionFunctionArgs) => myAction(args);
export const meta: MetaFunction = (args) =>
  pageMeta(args, { title: "My Logs", description: "All your logs, newest first." });

/** A personal goal has its own page; a session's goal links to the session. */
const goalPathOf = (log: LogShown): string | null =>
  log.sessionId !== null
    ? `/sessions/${log.sessionId}/logs`
    : log.goalId !== null
      ? `/my/goals/${log.goalId}`
      : null;

export default function MyLogs() {
  const data = useLoaderData<typeof loader>();
  const { now } = useShell();
  return (
    <MyClock>
      <MyPage
        title="My Logs"
        visitor={
          <>
            <SignInWarning>Please sign in to log progress. This is how a log looks:</SignInWarning>
            <LogList
              logs={[exampleLog(instant(now))]}
              label="Example log"
              canControl={() => false}
              goalPathOf={() => null}
            />
          </>
        }
      >
        <PagedList
          list={data}
          search={<LogSearch today={data.today} goals={data.goals} />}
          filters={["q", "until"]}
          drawing="path"
          noMatch="No logs found."
          empty={{
            text: (
              <p>
                You don't have any progress logs yet. Log some progress by creating a goal and clicking the
                Start Progress button.
              </p>
            ),
            action: (
              <Button asChild variant="primary">
                <Link to="/my/goals?create=1">Create a Goal</Link>
              </Button>
            ),
          }}
        >
          {(logs) => <LogList logs={logs} canControl={() => true} goalPathOf={goalPathOf} />}
        </PagedList>
      </MyPage>
    </MyClock>
  );
}

/** The form, and links to the logs of goals whose own texts have the words. */
const LogSearch = ({ today, goals }: Pick<FoundLogs, "today" | "goals">) => (
  <>
    <OwnSearch label="Search your logs" formLabel="Your logs" lastDay={today} />
    {goals.length > 0 && (
      <ul aria-label="Goals with these words" className="flex flex-wrap gap-x-4 gap-y-2">
        {goals.map((goal) => (
          <li key={goal.id} className="min-w-0">
            <TextLink to={`/my/goals/${goal.id}/logs`}>
              All logs of “<bdi>{goal.title}</bdi>”
            </TextLink>
          </li>
        ))}
      </ul>
    )}
  </>
);
