// /account/security: two-step sign-in, recovery codes, passkeys and logins.
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { LoginList } from "~/components/accounts/login-list";
import { PasskeySection } from "~/components/accounts/passkey-section";
import { TwoStepSection } from "~/components/accounts/two-step-section";
import { AccountPage, AccountSection } from "~/components/layout/account-page";
import { pageMeta } from "~/components/layout/page-meta";
import { Notice } from "~/components/ui/notice";
import { TextLink } from "~/components/ui/text-link";
import { CodeInput } from "~/domain/accounts/accounts";
import { LoginChoice, PasskeyChoice, PasskeyRename } from "~/forms/accounts/accounts";
import { NoFields } from "~/forms/fields";
import { usePosted } from "~/hooks/form/use-posted";
import { useHydrated } from "~/hooks/use-hydrated";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { endOneLogin, endOtherLogins, listLogins } from "~/use-cases/accounts/login-list.server";
import { removePasskey, renamePasskey } from "~/use-cases/accounts/passkeys.server";
import {
  beginTwoStep,
  confirmTwoStep,
  createRecoveryCodes,
  turnTwoStepOff,
  viewSecurity,
} from "~/use-cases/accounts/two-step.server";

export const loader = (args: LoaderFunctionArgs) =>
  load(
    args,
    async (app, _: undefined) => {
      const [security, logins] = await Promise.all([viewSecurity(app), listLogins(app)]);
      return { ...security, logins };
    },
    { whenSignedOut: "redirect" },
  );

/** Without JavaScript the page itself shows the success. */
const rendersResult = true;
/** Every act here changes how the user signs in. */
const needsCheck = true;
export const action = (args: ActionFunctionArgs) =>
  act(args, {
    "two-step.begin": on(NoFields, beginTwoStep, { needsCheck, rendersResult }),
    "two-step.confirm": on(CodeInput, confirmTwoStep, {
      needsCheck,
      toast: "Two-step sign-in is on.",
      rendersResult,
    }),
    "two-step.codes": on(NoFields, createRecoveryCodes, {
      needsCheck,
      toast: "The old codes do not work any more.",
      rendersResult,
    }),
    "two-step.off": on(NoFields, turnTwoStepOff, {
      needsCheck,
      toast: "Two-step sign-in is off.",
      rendersResult,
    }),
    "passkey.rename": on(PasskeyRename, renamePasskey, {
      needsCheck,
      toast: "The name was saved.",
      rendersResult,
    }),
    "passkey.remove": on(PasskeyChoice, removePasskey, {
      needsCheck,
      toast: "The passkey was removed.",
      rendersResult,
    }),
    "end-login": on(LoginChoice, endOneLogin, { needsCheck, toast: "That login was ended.", rendersResult }),
    "end-other-logins": on(NoFields, endOtherLogins, {
      needsCheck,
      toast: "You are signed out everywhere else.",
      rendersResult,
    }),
  });

export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title: "How you sign in",
    description: "Two-step sign-in, recovery codes, passkeys and logins of your account.",
  });

export default function Security() {
  const security = useLoaderData<typeof loader>();
  const posted = usePosted();
  const isHydrated = useHydrated();
  return (
    <AccountPage title="How you sign in" label="Security">
      {/* With JavaScript this is a toast. */}
      {posted?.ok && posted.toast && !isHydrated && (
        <Notice tone="success" isLive>
          {posted.toast}
        </Notice>
      )}
      <AccountSection
        title="Two-step sign-in"
        id="two-step"
        about="A code from your phone, after the password."
      >
        <TwoStepSection {...security} />
      </AccountSection>
      <AccountSection
        title="Passkeys"
        id="passkeys"
        about="Your fingerprint, face or security key in place of password and code."
      >
        <PasskeySection passkeys={security.passkeys} hasHostName={security.hasHostName} />
      </AccountSection>
      <AccountSection
        title="Where you are signed in"
        id="logins"
        about="One you do not recognise? Sign it out and change your password."
      >
        <LoginList logins={security.logins} />
      </AccountSection>
      <AccountSection title="Someone else in your account?" id="others">
        <p>
          <TextLink to="/account#password">Change your password</TextLink>,{" "}
          <TextLink to="#logins">sign out everywhere else</TextLink>, or{" "}
          <TextLink to="/account/api">revoke keys</TextLink>.
        </p>
      </AccountSection>
    </AccountPage>
  );
}
