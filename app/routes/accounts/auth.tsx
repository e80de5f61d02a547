// /auth/login and /auth/register: the action of the modal's forms, and the page of their errors without JavaScript.
// They share a route, so that typed values survive a change of tab.
import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import type { z } from "zod";
import { actToResumeIn, nextOf } from "~/components/accounts/posted-sign-in";
import { SignInPage } from "~/components/accounts/sign-in-page";
import { pageMeta } from "~/components/layout/page-meta";
import { keptAccountSentence } from "~/domain/accounts/deletion";
import { REGISTERED } from "~/domain/accounts/rules";
import { safePath } from "~/domain/accounts/safe-path";
import { isGuest } from "~/domain/guest-rights";
import { LoginForm, OtherTabForm, PasskeyForm, RegisterForm, TwoStepForm } from "~/forms/accounts/accounts";
import { usePosted } from "~/hooks/form/use-posted";
import { act, on } from "~/http/act.server";
import { login, register } from "~/use-cases/accounts/accounts.server";
import type { SignedIn } from "~/use-cases/accounts/complete-login.server";
import { loginWithPasskey } from "~/use-cases/accounts/passkeys.server";
import { loginTwoStep } from "~/use-cases/accounts/second-step.server";
import type { App } from "~/use-cases/app.server";

type Tab = "login" | "register";

/** The second step belongs to the login form, so its address shows the first step. */
function tabOf(name: string | undefined): Tab {
  if (name === "login" || name === "register") return name;
  if (name === "two-step") return "login";
  throw data({ message: "We could not find that." }, { status: 404 });
}

export function loader({ request, params, context }: LoaderFunctionArgs) {
  const tab = tabOf(params.tab);
  const next = safePath(new URL(request.url).searchParams.get("next"));
  if (context.app.user && !isGuest(context.app.user)) throw redirect(next);
  return { tab, next };
}

const keptSentence = (account: SignedIn | null): string =>
  account?.isKept ? keptAccountSentence(account.subscription?.endDate != null) : "";
/** Each step of the sign-in passes the value of the stored act on to the next. */
const signIn = async (app: App, { next, actToResume, ...input }: z.output<typeof LoginForm>) => {
  const { account, twoStep } = await login(app, input);
  app.actToResumeToken = actToResume;
  return { next, actToResume, welcome: keptSentence(account), twoStep };
};
const takeSecondStep = async (app: App, { next, actToResume, ...input }: z.output<typeof TwoStepForm>) => {
  const account = await loginTwoStep(app, input);
  app.actToResumeToken = actToResume;
  return { next, welcome: keptSentence(account) };
};
const signInByPasskey = async (app: App, { next, actToResume, response }: z.output<typeof PasskeyForm>) => {
  const account = await loginWithPasskey(app, { response });
  app.actToResumeToken = actToResume;
  return { next, welcome: keptSentence(account) };
};
const signUp = async (app: App, { next, actToResume, ...input }: z.output<typeof RegisterForm>) => {
  await register(app, input);
  app.actToResumeToken = actToResume;
  return { next };
};
const switchTab = async (_: App, { next, actToResume }: z.output<typeof OtherTabForm>) => ({
  next,
  actToResume,
});
type Redirected = { next: string };
const redirectTo = ({ next }: Redirected) => next;
const welcomeBack = ({ welcome }: { welcome: string }) => welcome;

const asksForCode = ({ twoStep }: { twoStep: unknown }) => twoStep !== null;

export const action = (args: ActionFunctionArgs) =>
  tabOf(args.params.tab) === "login"
    ? act(args, {
        login: on(LoginForm, signIn, { redirectTo, toast: welcomeBack, rendersResult: asksForCode }),
        "two-step": on(TwoStepForm, takeSecondStep, { redirectTo, toast: welcomeBack }),
        passkey: on(PasskeyForm, signInByPasskey, { redirectTo, toast: welcomeBack }),
        "other-tab": on(OtherTabForm, switchTab, { rendersResult: true }),
      })
    : act(args, {
        register: on(RegisterForm, signUp, { redirectTo, toast: REGISTERED }),
        "other-tab": on(OtherTabForm, switchTab, { rendersResult: true }),
      });

export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta(args, {
    title: args.data?.tab === "register" ? "Register" : "Login",
    description: "Sign in or register to set goals, join live sessions and belong to huts.",
  });

export default function Auth() {
  const { tab, next } = useLoaderData<typeof loader>();
  const posted = usePosted();
  return <SignInPage tab={tab} next={nextOf(posted, next)} actToResume={actToResumeIn(posted)} />;
}
