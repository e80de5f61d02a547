// Making an account on a page of its own (see auth-login).
import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { z } from "zod";
import { nextOf, SignInPage } from "~/components/accounts/sign-in-page";
import { REGISTERED, safePath } from "~/domain/account-rules";
import { RegisterForm } from "~/domain/accounts";
import { act, on } from "~/http/act.server";
import { register } from "~/use-cases/accounts.server";
import type { App } from "~/use-cases/app.server";

export function loader({ request, context }: LoaderFunctionArgs) {
  const next = safePath(new URL(request.url).searchParams.get("next"));
  if (context.app.user) throw redirect(next);
  return { next };
}

const signUp = async (app: App, { next, ...input }: z.output<typeof RegisterForm>) => {
  await register(app, input);
  return { next };
};
export const action = (args: ActionFunctionArgs) =>
  act(args, {
    go: on(RegisterForm, signUp, { then: ({ next }) => next, toast: REGISTERED }),
    stay: on(RegisterForm, signUp, { toast: REGISTERED }),
  });

export const meta: MetaFunction = () => [{ title: "Register · Bothy" }];

export default function AuthRegister() {
  const { next } = useLoaderData<typeof loader>();
  return <SignInPage tab="register" next={nextOf(useActionData(), next)} />;
}
