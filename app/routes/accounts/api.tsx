// /account/api: personal keys for other programs (O-01, O-08).
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { useState } from "react";
import { KeyList } from "~/components/accounts/key-list";
import { CreatedKey, NewKeyForm } from "~/components/accounts/new-key";
import { ConfirmFirst } from "~/components/form/confirm-first";
import { AccountPage, AccountSection } from "~/components/layout/account-page";
import { pageMeta } from "~/components/layout/page-meta";
import { Notice } from "~/components/ui/notice";
import { KeyChoice, KeyForm } from "~/forms/accounts/accounts";
import { usePosted } from "~/hooks/form/use-posted";
import { useHydrated } from "~/hooks/use-hydrated";
import { useShell } from "~/hooks/use-shell";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { createKey, revokeKey, viewKeys } from "~/use-cases/accounts/api-keys.server";

export const loader = (args: LoaderFunctionArgs) => load(args, viewKeys, { whenSignedOut: "redirect" });

export const action = (args: ActionFunctionArgs) =>
  act(args, {
    "key.create": on(KeyForm, createKey, {
      needsCheck: true,
      toast: "Your key is ready.",
      rendersResult: true,
    }),
    "key.revoke": on(KeyChoice, revokeKey, { toast: "The key was revoked." }),
  });

export const meta: MetaFunction = (args) =>
  pageMeta(args, { title: "Keys", description: "Personal keys for programs that act in your name." });

/** The key of an answer; no later answer repeats it. */
const keyIn = (result: unknown): string | null =>
  (result as { key?: string } | null | undefined)?.key ?? null;

export default function AccountApi() {
  const { keys, isConfirmed } = useLoaderData<typeof loader>();
  const { viewer } = useShell();
  const posted = usePosted();
  const isHydrated = useHydrated();
  const [newKey, setNewKey] = useState<string | null>(null);
  const key = newKey ?? (posted?.ok ? keyIn(posted.result) : null);
  return (
    <AccountPage
      title="Keys"
      intro={
        <>
          A key lets a program of yours act in your name.{" "}
          <a href="/api/docs" className="underline underline-offset-4">
            The reference
          </a>{" "}
          shows what it can do.
        </>
      }
    >
      {/* With JavaScript this is a toast. */}
      {posted?.ok && posted.toast && !isHydrated && (
        <Notice tone="success" isLive>
          {posted.toast}
        </Notice>
      )}
      {key && <CreatedKey secret={key} />}
      <AccountSection title="Your keys" id="keys" about="Revoke a key that you no longer use.">
        {keys.length === 0 ? <p>You have no keys.</p> : <KeyList keys={keys} />}
      </AccountSection>
      <AccountSection
        title="New key"
        id="new-key"
        about="For one program, with no more rights than it needs."
      >
        {isConfirmed || !viewer ? (
          <NewKeyForm onCreated={setNewKey} />
        ) : (
          <ConfirmFirst email={viewer.email} />
        )}
      </AccountSection>
    </AccountPage>
  );
}
