// The people whom the user has blocked, with Unblock.
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { ActionForm } from "~/components/form/action-form";
import { AccountPage } from "~/components/layout/account-page";
import { pageMeta } from "~/components/layout/page-meta";
import { Avatar } from "~/components/ui/avatar";
import { Button } from "~/components/ui/button";
import { EmptyState } from "~/components/ui/empty-state";
import { TextLink } from "~/components/ui/text-link";
import { Time } from "~/components/ui/time";
import { blockedSentence, unblockedSentence } from "~/domain/safety/blocks";
import { NameChoice } from "~/forms/accounts/accounts";
import { useActionForm } from "~/hooks/form/use-action-form";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { type BlockedPerson, blockPerson, listBlocks, unblockPerson } from "~/use-cases/safety/blocks.server";

export const loader = (args: LoaderFunctionArgs) => load(args, listBlocks, { whenSignedOut: "redirect" });

export const action = (args: ActionFunctionArgs) =>
  act(args, {
    block: on(NameChoice, blockPerson, { toast: ({ username }) => blockedSentence(username) }),
    unblock: on(NameChoice, unblockPerson, { toast: ({ username }) => unblockedSentence(username) }),
  });

export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title: "Blocked people",
    description: "The people you have blocked, and the way to unblock them.",
  });

export default function AccountBlocks() {
  const { blocks } = useLoaderData<typeof loader>();
  return (
    <AccountPage
      title="Blocked people"
      intro="You and the people you block do not see each other's messages, posts and logs. They are not notified."
    >
      {blocks.length === 0 ? (
        <EmptyState drawing="lamp">
          <p>You have not blocked anybody. To block a person, use the menu beside their name.</p>
        </EmptyState>
      ) : (
        <ul aria-label="Blocked people" className="flex max-w-2xl flex-col">
          {blocks.map((person) => (
            <BlockedPersonRow key={person.username} person={person} />
          ))}
        </ul>
      )}
    </AccountPage>
  );
}

function BlockedPersonRow({ person: { username, createdAt } }: { person: BlockedPerson }) {
  const form = useActionForm({ intent: "unblock", hiddenFields: { username } });
  return (
    <li className="flex items-center gap-3 border-b border-line py-3">
      <Avatar name={username} size={36} />
      <div className="min-w-0 flex-1">
        <TextLink to={`/${username}`} className="block truncate font-semibold no-underline hover:underline">
          {username}
        </TextLink>
        <p className="text-sm text-soft">
          Blocked <Time at={createdAt} look="date" />
        </p>
      </div>
      <ActionForm form={form}>
        <Button type="submit" isLoading={form.isBusy} aria-label={`Unblock ${username}`}>
          Unblock
        </Button>
      </ActionForm>
    </li>
  );
}
