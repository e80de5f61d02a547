// Handles a page's loader: it parses the URL, runs one use case and answers.
import { data, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import type { z } from "zod";
import { requireCheck } from "~/domain/accounts/sign-in";
import { AppError, isAppError } from "~/domain/errors";
import { guestRefused } from "~/domain/guest-rights";
import { readAs } from "~/forms/reading";
import { readerOf, type UseCase } from "~/use-cases/app.server";
import { errorAnswer } from "./reply.server";
import { refuseUserIds, type WithoutUserIds } from "./user-ids.server";

/** Pages for signed-in users redirect to the sign-in modal, and back after the login. */
const signInPath = (next: string): string => `/?auth=login&next=${encodeURIComponent(next)}`;

/** The URL of the confirmation page, which then redirects back to this page. */
export function confirmPath(request: Request): string {
  const { pathname, searchParams } = new URL(request.url);
  searchParams.delete("_data");
  const search = searchParams.size > 0 ? `?${searchParams}` : "";
  return `/account/confirm?next=${encodeURIComponent(pathname.replace(/\.data$/, "") + search)}`;
}

type Options<I> = {
  input?: z.ZodType<I>;
  /** `redirect-if-refused`: only the parts that need a login redirect, such as the viewer's own rows of a list. */
  whenSignedOut?: "redirect" | "redirect-if-refused";
  /** The answer is a file, so that a refusal is a sentence of plain text instead of a page. */
  isFile?: true;
  /** The data of the frame, which a guest sees around a refusal too. */
  isFrame?: true;
  /** Redirects to the confirmation page unless the login was checked within 15 minutes. */
  needsCheck?: true;
};

/** Runs `useCase` with the path's parameters and the query as input. */
export async function load<R, I = undefined>(
  args: LoaderFunctionArgs,
  useCase: UseCase<I, R> & WithoutUserIds<R>,
  options: Options<I> = {},
): Promise<R> {
  const url = new URL(args.request.url);
  const { app } = args.context;
  try {
    if (app.suspensionSentence !== undefined && args.context.isJson)
      throw new AppError("FORBIDDEN", app.suspensionSentence);
    if (app.suspensionSentence !== undefined) throw redirect("/account/suspended");
    if (app.refusedGuestOf !== undefined && !options.isFrame) throw guestRefused();
    if (options.whenSignedOut === "redirect" && !app.user) throw new AppError("UNAUTHENTICATED");
    const raw = { ...Object.fromEntries(url.searchParams), ...args.params };
    const parsed = options.input && readAs(readerOf(app), () => options.input?.safeParse(raw));
    if (parsed && !parsed.success) throw new AppError("NOT_FOUND");
    const { needsCheck } = options;
    requireCheck(app.user, { needsCheck, input: undefined, now: app.now });
    const result = await useCase(app, parsed?.data as I);
    if (app.settings.isLocalRun) refuseUserIds(result);
    return result;
  } catch (thrown) {
    if (thrown instanceof Response || args.context.isJson) throw thrown;
    const asksForSignIn = isAppError(thrown) && thrown.code === "UNAUTHENTICATED" && options.whenSignedOut;
    // The answer to a kept act has the sign-in form itself.
    if (asksForSignIn && !app.actToResume) throw redirect(signInPath(url.pathname + url.search));
    if (isAppError(thrown) && thrown.code === "REAUTH_REQUIRED") throw redirect(confirmPath(args.request));
    const answer = errorAnswer(thrown);
    if (options.isFile)
      throw new Response(`${answer.body.message}\n`, { status: answer.status, headers: answer.headers });
    throw data(answer.body, { status: answer.status, headers: answer.headers });
  }
}
