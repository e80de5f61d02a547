// The members of a hut, for its owner and moderators: roles and ownership.
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { Invitation, RequestList } from "~/components/huts/invitation";
import { MemberList } from "~/components/huts/member-list";
import { HutTabs } from "~/components/huts/tabs";
import { Page, Section } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { BanList } from "~/components/safety/ban-list";
import { Pagination } from "~/components/ui/pagination";
import { TextLink } from "~/components/ui/text-link";
import { HUT_ROLE } from "~/domain/roles";
import { oneLine } from "~/domain/text-fields";
import {
  AcceptRequestInput,
  HandOverInput,
  InvitationInput,
  MemberRoleInput,
  RefuseRequestInput,
} from "~/forms/huts/huts";
import { HutBanInput, HutLetInInput, HutMuteInput } from "~/forms/safety/sanctions";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { answerRequest, renewInvitation } from "~/use-cases/huts/entry.server";
import { changeMember, viewHutMembers } from "~/use-cases/huts/members.server";
import { banFromHut, muteInHut } from "~/use-cases/huts/sanctions.server";
import { page } from "~/wire/values";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, viewHutMembers, { input: z.object({ hut: oneLine(), page }), whenSignedOut: "redirect" });

export const action = (args: ActionFunctionArgs) =>
  act(args, {
    role: on(MemberRoleInput, changeMember, {
      toast: ({ username, role }) =>
        role === HUT_ROLE.moderator
          ? `${username} is a moderator now.`
          : `${username} is no longer a moderator.`,
    }),
    renew: on(InvitationInput, renewInvitation, { rendersResult: true }),
    accept: on(AcceptRequestInput, answerRequest, {
      toast: ({ username }) => `${username} belongs to this hut now.`,
    }),
    refuse: on(RefuseRequestInput, answerRequest, {
      toast: ({ username }) => `The request of ${username} was refused.`,
    }),
    "hand-over": on(HandOverInput, changeMember, {
      toast: ({ username }) => `${username} owns this hut now.`,
      redirectTo: (_, form) => `/group/${form.get("hut")}`,
    }),
    mute: on(HutMuteInput, muteInHut),
    ban: on(HutBanInput, banFromHut, { toast: "They are kept out of this hut." }),
    "let-in": on(HutLetInInput, banFromHut, { toast: "They may join again." }),
  });

export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta(args, {
    title: `Members of h/${args.data?.hut.title ?? ""}`,
    description: "The people of this hut and its moderators.",
  });

export default function HutMembers() {
  const { hut, owner, requests, moderators, members, bans, invitation, page, hasNext } =
    useLoaderData<typeof loader>();
  return (
    <Page
      title={`h/${hut.title}`}
      breadcrumbs={[
        { label: "Home", to: "/" },
        { label: "Huts", to: "/groups" },
        { label: hut.title, to: hut.path },
        { label: "Members" },
      ]}
      tabs={<HutTabs path={hut.path} canModerate />}
    >
      {hut.isPrivate && <Invitation {...invitation} />}
      {requests.length > 0 && <RequestList requests={requests} />}
      <Section title="Owner">
        <p>
          <TextLink to={`/${owner}`} className="break-all font-semibold">
            {owner}
          </TextLink>{" "}
          owns this hut.
        </p>
      </Section>
      {moderators.length > 0 && (
        <Section title="Moderators">
          <MemberList
            label="Moderators"
            members={moderators}
            canManage={hut.canManage}
            isPrivate={hut.isPrivate}
          />
        </Section>
      )}
      <Section title="Members">
        {members.length === 0 ? (
          <p className="text-soft">
            Only you and the moderators so far.{" "}
            {hut.isPrivate ? "Share the link above." : "Share the hut's address."}
          </p>
        ) : (
          <MemberList label="Members" members={members} canManage={hut.canManage} isPrivate={hut.isPrivate} />
        )}
        <Pagination page={page} hasNext={hasNext} />
      </Section>
      {bans.length > 0 && (
        <Section title="Kept out">
          <BanList bans={bans} />
        </Section>
      )}
    </Page>
  );
}
