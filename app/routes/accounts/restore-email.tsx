// "This wasn't me": restores the former address of an account.
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { Button } from "~/components/ui/button";
import { Notice, Warning } from "~/components/ui/notice";
import { TextLink } from "~/components/ui/text-link";
import { RESTORE_EXPIRED, RESTORE_REACH_DAYS, restoredSentence } from "~/domain/confirmation";
import { LinkToken } from "~/forms/accounts/accounts";
import { useActionForm } from "~/hooks/form/use-action-form";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { restoreAddress, viewRestore } from "~/use-cases/accounts/confirmations.server";

export const loader = (args: LoaderFunctionArgs) => load(args, viewRestore, { input: LinkToken });
export const action = (args: ActionFunctionArgs) =>
  act(args, {
    restore: on(LinkToken, restoreAddress, {
      toast: ({ email }) => restoredSentence(email),
      rendersResult: true,
    }),
  });

const title = "Take your account back";
export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title,
    description: "Somebody changed your account: undo it and end all logins.",
    more: [
      // The URL contains the link's token, which other sites must not see; without any referrer the form itself would
      // be refused.
      { name: "referrer", content: "same-origin" },
      { name: "robots", content: "noindex" },
    ],
  });

export default function RestoreEmail() {
  const { token, addresses } = useLoaderData<typeof loader>();
  // The page itself shows the success, so no toast does.
  const form = useActionForm({ intent: "restore", hiddenFields: { token }, onSuccess: () => {} });
  if (form.result?.ok)
    return (
      <Page title={title} width="narrow">
        <Notice tone="success" title={form.result.toast} isLive>
          Somebody may know your password. Please <TextLink to="/forgot-password">choose a new one</TextLink>{" "}
          now.
        </Notice>
      </Page>
    );
  return (
    <Page title={title} width="narrow">
      {addresses ? (
        <ActionForm form={form} className="flex flex-col gap-4">
          <p className="wrap-anywhere">
            {addresses.email === addresses.oldEmail ? (
              "If you did not change how you sign in, every login ends."
            ) : (
              <>
                The address of your account is now <strong>{addresses.email}</strong>. If you did not change
                it, your account gets <strong>{addresses.oldEmail}</strong> back, and every login ends.
              </>
            )}{" "}
            Passkeys, second steps and recovery codes that were made then or in the {RESTORE_REACH_DAYS} days
            before are removed, and so are the calendar address and all keys.
          </p>
          <FormErrors form={form} />
          <Button type="submit" variant="danger" isLoading={form.isBusy}>
            This wasn’t me
          </Button>
        </ActionForm>
      ) : (
        <Warning title={RESTORE_EXPIRED} />
      )}
    </Page>
  );
}
