// /my/notices: what happened around the user's sessions, goals and texts, newest first (N-08).
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { ActionForm } from "~/components/form/action-form";
import { MyTabs } from "~/components/layout/my-tabs";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { Button } from "~/components/ui/button";
import { EmptyState } from "~/components/ui/empty-state";
import { TextLink } from "~/components/ui/text-link";
import { Time } from "~/components/ui/time";
import { NoFields } from "~/forms/accounts/accounts";
import { useActionForm } from "~/hooks/use-action-form";
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
      tabs={<MyTabs />}
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
        <ul aria-label="Notices" className="flex max-w-3xl flex-col">
          {rows.map((notice) => (
            <Row key={notice.id} notice={notice} />
          ))}
        </ul>
      )}
      <p className="flex flex-wrap gap-x-6 gap-y-2">
        {after && <TextLink to={`?after=${after}`}>Older notices</TextLink>}
        <TextLink to="/account/notifications">Change what we send you</TextLink>
      </p>
    </Page>
  );
}

const Row = ({ notice: { text, path, at, isUnread } }: { notice: NoticeShown }) => (
  <li className="border-b border-line">
    <Link to={path} className="flex min-h-11 items-baseline gap-3 rounded-md px-2 py-3 hover:bg-sunken">
      <span aria-hidden="true" className={isUnread ? "text-ember" : "invisible"}>
        ●
      </span>
      <span className="min-w-0 flex-1">
        {isUnread && <span className="sr-only">Unread: </span>}
        <span className={isUnread ? "wrap-anywhere font-semibold" : "wrap-anywhere"}>{text}</span>
        <Time at={at} show="relative" className="block text-sm text-soft" />
      </span>
    </Link>
  </li>
);
