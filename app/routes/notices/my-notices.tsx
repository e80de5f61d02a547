// /my/notices: what happened around the user's sessions, goals and texts, newest first (N-08).
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { ActionForm } from "~/components/form/action-form";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { OlderNoticesLink } from "~/components/notices/older-notices-link";
import { Icon, type IconName } from "~/components/pictures/icon";
import { Avatar } from "~/components/ui/avatar";
import { Button, buttonClass } from "~/components/ui/button";
import { DayList } from "~/components/ui/day-list";
import { EmptyState } from "~/components/ui/empty-state";
import { TextLink } from "~/components/ui/text-link";
import { Time } from "~/components/ui/time";
import type { NoticeKind } from "~/domain/notices/notices";
import { NoFields } from "~/forms/fields";
import { useActionForm } from "~/hooks/form/use-action-form";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { listNoticesAndMarkRead, type NoticeShown, readNotices } from "~/use-cases/notices/notices.server";
import { noticeCursor } from "~/wire/notices/notices";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, listNoticesAndMarkRead, { input: z.object({ after: noticeCursor }), whenSignedOut: "redirect" });
export const action = (args: ActionFunctionArgs) =>
  act(args, { "notices.read": on(NoFields, (app) => readNotices(app, {})) });
export const meta: MetaFunction = (args) =>
  pageMeta(args, { title: "My Notices", description: "News about your sessions, goals and replies." });

export default function MyNotices() {
  const { rows, after, unread } = useLoaderData<typeof loader>();
  const markAllForm = useActionForm({ intent: "notices.read" });
  // Opening the page marks the notices on it as read, so the button is for those of other pages.
  const hasUnreadElsewhere = unread > rows.filter(({ isUnread }) => isUnread).length;
  return (
    <Page
      title="My Notices"
      actions={
        hasUnreadElsewhere && (
          <ActionForm form={markAllForm}>
            <Button type="submit" isLoading={markAllForm.isBusy}>
              Mark all as read
            </Button>
          </ActionForm>
        )
      }
    >
      {rows.length === 0 ? (
        <EmptyState drawing="lamp">
          <p>Nothing new. Notices about your sessions, goals and replies appear here.</p>
        </EmptyState>
      ) : (
        <section aria-label="Notices" className="flex max-w-3xl flex-col gap-4">
          <DayList rows={rows} at={({ at }) => at}>
            {(notice) => <NoticeRow key={notice.id} notice={notice} />}
          </DayList>
        </section>
      )}
      <p className="flex flex-wrap gap-x-6 gap-y-2">
        {after && <OlderNoticesLink after={after} />}
        <TextLink to="/account/notifications">Change what we send you</TextLink>
      </p>
    </Page>
  );
}

/** The icon of a notice that names nobody, where others have an avatar. */
const ICONS: Partial<Record<NoticeKind, IconName>> = {
  "session-reminder": "timer",
  "session-changed": "calendar",
  "session-started": "play",
  seat: "person",
  "hut-session": "hut",
  "goal-reminder": "flag",
  "still-open": "flag",
  series: "calendar",
  recap: "check",
};

const NoticeRow = ({ notice: { kind, name, text, path, at, isUnread, asks } }: { notice: NoticeShown }) => (
  <li className="border-b border-line">
    <Link
      to={path}
      className="flex min-h-14 flex-wrap items-center gap-x-3 rounded-md px-2 py-2.5 hover:bg-sunken"
    >
      <span aria-hidden="true" className={isUnread ? "text-ember" : "invisible"}>
        ●
      </span>
      {name ? (
        <Avatar name={name} size={36} className="shrink-0" />
      ) : (
        <span className="flex size-9 shrink-0 items-center justify-center rounded-full bg-sunken text-soft">
          <Icon name={ICONS[kind] ?? "bell"} />
        </span>
      )}
      <span className="flex min-w-0 flex-1 basis-36 flex-wrap items-center gap-x-4 gap-y-1.5">
        <span className="min-w-0 flex-1 basis-48">
          {isUnread && <span className="sr-only">Unread: </span>}
          <span className={isUnread ? "wrap-anywhere font-semibold" : "wrap-anywhere"}>{text}</span>
          <Time at={at} show="relative" className="block text-sm text-soft" />
        </span>
        {asks && <span className={buttonClass("quiet")}>{asks}</span>}
      </span>
    </Link>
  </li>
);
