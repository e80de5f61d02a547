// /account/confirm: renews the check of the user's identity, then redirects back. The dialog submits here too.
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import type { z } from "zod";
import { CheckForm, CONFIRM_TITLE } from "~/components/accounts/check-form";
import { nextOf } from "~/components/accounts/posted-sign-in";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { buttonClass } from "~/components/ui/button";
import { Notice } from "~/components/ui/notice";
import { safePath } from "~/domain/accounts/safe-path";
import { CodeCheckForm, PasswordCheckForm } from "~/forms/accounts/accounts";
import { usePosted } from "~/hooks/form/use-posted";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { checkByCode, checkByPassword, viewCheck } from "~/use-cases/accounts/check-login.server";
import type { App } from "~/use-cases/app.server";
import { EXPORT_PATHS } from "~/wire/export";

export const loader = (args: LoaderFunctionArgs) =>
  load(
    args,
    async (app, _: undefined) => ({
      ...(await viewCheck(app)),
      next: safePath(new URL(args.request.url).searchParams.get("next")),
    }),
    { whenSignedOut: "redirect" },
  );

const confirmByPassword = async (app: App, { next, ...input }: z.output<typeof PasswordCheckForm>) => {
  await checkByPassword(app, input);
  return { next };
};
const confirmByCode = async (app: App, { next, ...input }: z.output<typeof CodeCheckForm>) => {
  await checkByCode(app, input);
  return { next };
};
/** A download does not replace the page, so the page shows a link to it. */
const redirectTo = ({ next }: { next: string }) =>
  next.startsWith(EXPORT_PATHS) ? `/account/confirm?next=${encodeURIComponent(next)}` : next;

export const action = (args: ActionFunctionArgs) =>
  act(args, {
    password: on(PasswordCheckForm, confirmByPassword, { redirectTo }),
    code: on(CodeCheckForm, confirmByCode, { redirectTo }),
  });

export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title: CONFIRM_TITLE,
    description: "Your password, a code or a passkey, before something that is worth protecting.",
    more: [{ name: "robots", content: "noindex" }],
  });

export default function Confirm() {
  const { email, hasTwoStep, hasPasskey, isChecked, next } = useLoaderData<typeof loader>();
  const nextPath = nextOf(usePosted(), next);
  if (isChecked)
    return (
      <Page title="Thank you" width="narrow">
        <Notice tone="success" title="You have confirmed that it's you." isLive>
          It counts for 15 minutes.
        </Notice>
        {/* A plain link, because it may be a file. */}
        <a href={nextPath} className={buttonClass("primary", "md", "self-start")}>
          {nextPath.startsWith(EXPORT_PATHS) ? "Download the file" : "Go on"}
        </a>
      </Page>
    );
  return (
    <Page
      title={CONFIRM_TITLE}
      intro="It has been a while since you signed in, and this is worth protecting."
      width="narrow"
    >
      <CheckForm email={email} hasTwoStep={hasTwoStep} hasPasskey={hasPasskey} next={nextPath} />
    </Page>
  );
}
