// Signing in on a page of its own: where the forms of the modal post to, and where one lands without JavaScript when
// something was wrong.
import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { z } from "zod";
import { nextOf, SignInPage } from "~/components/accounts/sign-in-page";
import { safePath } from "~/domain/account-rules";
import { LoginForm } from "~/domain/accounts";
import { act, on } from "~/http/act.server";
import { login } from "~/use-cases/accounts.server";
import type { App } from "~/use-cases/app.server";

export function loader({ request, context }: LoaderFunctionArgs) {
  const next = safePath(new URL(request.url).searchParams.get("next"));
  if (context.app.user) throw redirect(next);
  return { next };
}

const signIn = async (app: App, { next, ...input }: z.output<typeof LoginForm>) => {
  await login(app, input);
  return { next };
};
export const action = (args: ActionFunctionArgs) =>
  act(args, {
    go: on(LoginForm, signIn, { then: ({ next }) => next }),
    stay: on(LoginForm, signIn),
  });

export const meta: MetaFunction = () => [{ title: "Login · Bothy" }];

export default function AuthLogin() {
  const { next } = useLoaderData<typeof loader>();
  return <SignInPage tab="login" next={nextOf(useActionData(), next)} />;
}
