// A hut: details with its activities, and its sessions (P-39 to P-41, U-34, U-35).

import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData, useLocation } from "@remix-run/react";
import type { z } from "zod";
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { TextRow } from "~/components/form/rows";
import { countNoun } from "~/components/huts/count-noun";
import { FirstSession } from "~/components/huts/first-session";
import { MembershipButton } from "~/components/huts/membership";
import { HutTabs } from "~/components/huts/tabs";
import { Page, Section } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { CardActionForm } from "~/components/lists/card-action-form";
import { ActivityCard } from "~/components/lists/cards";
import { DatedSessionCard } from "~/components/lists/dated-session-card";
import { CorrectedNotice, isNarrowed, ListBar, ListTools } from "~/components/lists/list-tools";
import { Icon } from "~/components/pictures/icon";
import { ReportMenuLink } from "~/components/safety/report-link";
import { Avatar } from "~/components/ui/avatar";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { Card, CardList } from "~/components/ui/card";
import { ConfirmDialog } from "~/components/ui/confirm-dialog";
import { DropdownMenu, MenuButton } from "~/components/ui/dropdown-menu";
import { Notice } from "~/components/ui/notice";
import { Pagination } from "~/components/ui/pagination";
import { Prose } from "~/components/ui/prose";
import type { HostedInHut } from "~/domain/huts/huts";
import { shownRows } from "~/domain/list-pages";
import { ListQuery } from "~/domain/lists";
import { oneLine } from "~/domain/text-fields";
import { HutActivityInput, MembershipInput } from "~/forms/huts/huts";
import { useActionForm } from "~/hooks/form/use-action-form";
import { usePosted } from "~/hooks/form/use-posted";
import { useShell } from "~/hooks/use-shell";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { attachActivity, detachActivity, joinHut, leaveHut } from "~/use-cases/huts/huts.server";
import { viewHut, viewHutActivities, viewHutSessions } from "~/use-cases/huts/list.server";
import { routeTo } from "~/wire/named-routes";

const Query = ListQuery.extend({ hut: oneLine() }).transform(({ hut, ...query }) => ({
  ...query,
  slug: hut,
}));

export const loader = (args: LoaderFunctionArgs) => {
  const tab =
    /\/(sessions|activities)(?:\.data)?$/.exec(new URL(args.request.url).pathname)?.[1] ?? "details";
  return load(
    args,
    async (app, input: z.output<typeof Query>) => {
      if (tab === "sessions") return { tab, activities: [], ...(await viewHutSessions(app, input)) };
      if (tab === "activities") return { tab, sessions: [], ...(await viewHutActivities(app, input)) };
      return { tab, ...(await viewHut(app, input)) };
    },
    { input: Query, whenSignedOut: "redirect-if-refused" },
  );
};

export const action = (args: ActionFunctionArgs) =>
  act(args, {
    join: on(MembershipInput, joinHut, {
      toast: "You have successfully joined this hut.",
      rendersResult: true,
    }),
    attach: on(HutActivityInput, attachActivity, {
      toast: "The activity belongs to this hut now.",
      rendersResult: true,
    }),
    detach: on(HutActivityInput, detachActivity, {
      toast: "The activity does not belong to this hut any more.",
      rendersResult: true,
    }),
    leave: on(MembershipInput, leaveHut, {
      toast: "You have successfully left the hut.",
      rendersResult: (hut) => !hut.isPrivate,
      redirectTo: () => "/my/groups",
    }),
  });

export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta(args, {
    title: `h/${args.data?.hut.title ?? ""}`,
    description:
      args.data?.hut.summary || "A hut: people who do similar things, their activities and their sessions.",
  });

/** The owner of a public hut attaches any public activity, everybody else their own activities. */
function AttachActivityForm({ takesAny }: { takesAny: boolean }) {
  const form = useActionForm({ intent: "attach", clearsWhenDone: true });
  return (
    <ActionForm form={form} className="flex flex-wrap items-end gap-3">
      <TextRow
        {...form.field("activity")}
        label={takesAny ? "Add an activity to this hut" : "Add one of your activities to this hut"}
        hint="Its address, such as /activities/morning-pages"
        className="min-w-0 flex-1"
        autoCapitalize="none"
      />
      <Button type="submit" isLoading={form.isBusy}>
        Attach
      </Button>
      <FormErrors form={form} />
    </ActionForm>
  );
}

/** Leaving a private hut ends what the member hosts there, so it asks first. */
const LeaveWithSessions = ({ hosted, path }: { hosted: HostedInHut; path: string }) => {
  const { sessions, series, titles } = hosted;
  return (
    <ConfirmDialog
      trigger={<MenuButton isDanger>Leave</MenuButton>}
      title="Leave this hut?"
      confirmLabel={sessions > 0 ? "Leave and cancel them" : "Leave and end them"}
      cancelLabel="Stay"
      form={{ fields: { intent: "leave" }, action: path }}
    >
      {series > 0 &&
        `${countNoun(series, "series", "series")} that you host here ${series === 1 ? "ends" : "end"}. `}
      {sessions > 0 && (
        <>
          {`${countNoun(sessions, "session", "sessions")} of yours ${sessions === 1 ? "has" : "have"} not begun. `}
          They are cancelled, and everybody who paid gets their token back:{" "}
          <strong>{titles.join(", ")}</strong>.
        </>
      )}
    </ConfirmDialog>
  );
};

/** The people of the hut, for its members. */
const MemberAvatars = ({ names, count }: { names: readonly string[]; count: number }) => (
  <ul aria-label="Members" className="flex flex-wrap gap-x-3 gap-y-2">
    {names.map((name) => (
      <li key={name} className="min-w-0">
        <Link to={`/${name}`} className="flex min-h-11 w-16 flex-col items-center gap-1 text-center text-sm">
          <Avatar name={name} size={36} />
          <span className="w-full truncate">{name}</span>
        </Link>
      </li>
    ))}
    {count > names.length && (
      <li className="self-center text-sm text-soft">and {count - names.length} more</li>
    )}
  </ul>
);

type HutView = ReturnType<typeof useLoaderData<typeof loader>>["hut"];

function HutActions({ hut }: { hut: HutView }) {
  const { viewer } = useShell();
  const { pathname } = useLocation();
  return (
    <>
      {!hut.isJoined && <MembershipButton hut={hut} />}
      {hut.canManage && (
        <Button asChild>
          <Link to={routeTo("UpdateChallengeGroup", { group: hut })}>Update</Link>
        </Button>
      )}
      {viewer && hut.isJoined && (
        <Button asChild>
          <Link to={`/challenges/create?hut=${hut.slug}`}>Create an Activity</Link>
        </Button>
      )}
      {viewer && (hut.isJoined || !hut.canManage) && (
        <DropdownMenu
          label="More"
          trigger={<Icon name="more" />}
          triggerClassName="grid size-11 cursor-pointer place-content-center rounded-md text-soft hover:bg-sunken"
        >
          {!hut.canManage && (
            <ReportMenuLink target={{ kind: "hut", id: String(hut.id) }} author={hut.title} />
          )}
          {hut.isJoined &&
            (hut.hosted.sessions + hut.hosted.series > 0 ? (
              <LeaveWithSessions hosted={hut.hosted} path={pathname} />
            ) : (
              <MembershipButton hut={hut} isInMenu />
            ))}
        </DropdownMenu>
      )}
    </>
  );
}

export default function Hut() {
  const { hut, faces, tab, query, sessions, activities, categories, page, perPage, after, corrected } =
    useLoaderData<typeof loader>();
  const posted = usePosted();
  const { viewer, now } = useShell();
  const isSearch = isNarrowed(query);
  const hasContent = tab === "details" && Boolean(hut.contentHtml);
  return (
    <Page
      title={`h/${hut.title}`}
      breadcrumbs={[{ label: "Home", to: "/" }, { label: "Huts", to: "/groups" }, { label: hut.title }]}
      actions={<HutActions hut={hut} />}
      tabs={<HutTabs path={hut.path} canModerate={hut.canModerate} />}
      sidebar={
        <Card as="section" className="flex flex-col gap-2">
          <h2 className="flex flex-wrap items-center gap-2 text-lg">
            {hut.title}
            {hut.isPrivate && <Badge tone="dusk">Private</Badge>}
          </h2>
          {!hasContent && <p className="line-clamp-4 text-soft">{hut.summary || "No description yet."}</p>}
          <p className="tabular font-semibold">
            {hut.userCount} {hut.userCount === 1 ? "member" : "members"}
          </p>
          {faces.length > 0 && <MemberAvatars names={faces} count={hut.userCount} />}
        </Card>
      }
    >
      {posted?.ok && (
        <Notice tone="success" isLive>
          {posted.toast}
        </Notice>
      )}
      {hasContent && <Prose html={hut.contentHtml} />}
      <CorrectedNotice words={corrected} />
      {tab !== "activities" && (
        <Section title="Sessions">
          {tab === "sessions" && (
            <ListBar>
              <ListTools categories={categories} label="Search sessions of this hut" />
            </ListBar>
          )}
          {sessions.length === 0 ? (
            isSearch ? (
              <p className="text-soft">No results. Try other words.</p>
            ) : (
              <FirstSession hut={hut} />
            )
          ) : (
            <CardList label="Sessions of this hut">
              {shownRows(sessions, { perPage }).map((session) => (
                <DatedSessionCard key={session.id} session={session} now={now} />
              ))}
            </CardList>
          )}
        </Section>
      )}
      {tab !== "sessions" && (
        <Section title="Activities">
          {tab === "activities" && (
            <ListBar>
              <ListTools categories={categories} label="Search activities of this hut" />
            </ListBar>
          )}
          {activities.length === 0 ? (
            <p className="text-soft">
              {isSearch ? "No results. Try other words." : "This hut has no activities yet."}
            </p>
          ) : (
            <CardList label="Activities of this hut">
              {shownRows(activities, { perPage }).map((activity) => (
                <ActivityCard
                  key={activity.id}
                  activity={activity}
                  extraActions={
                    tab === "activities" &&
                    hut.canManage && (
                      <CardActionForm
                        action={`${hut.path}/activities`}
                        intent="detach"
                        label="Remove"
                        subject={activity.title}
                        hiddenFields={{ activity: activity.slug }}
                      />
                    )
                  }
                />
              ))}
            </CardList>
          )}
          {tab === "activities" && viewer && (hut.canManage || hut.isJoined) && (
            <AttachActivityForm takesAny={hut.canManage && !hut.isPrivate} />
          )}
        </Section>
      )}
      <Pagination page={page} hasNext={after !== null} after={after} />
    </Page>
  );
}
