// Handles a page's loader: it parses the URL, runs one use case and answers.
import { data, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import type { z } from "zod";
import { AppError, isAppError } from "~/domain/errors";
import type { UseCase } from "~/use-cases/app.server";
import { pageData } from "./page-data.server";
import { errorAnswer } from "./reply.server";

/** Pages for signed-in users redirect to the sign-in modal, and back after the login. */
const signInPath = (next: string): string => `/?auth=login&next=${encodeURIComponent(next)}`;

type Options<I> = {
  input?: z.ZodType<I>;
  /** `redirect-if-refused`: only the parts that need a login redirect, such as the viewer's own rows of a list. */
  whenSignedOut?: "redirect" | "redirect-if-refused";
};

/** Runs `useCase` with the path's parameters and the query as input. */
export async function load<R, I = undefined>(
  args: LoaderFunctionArgs,
  useCase: UseCase<I, R>,
  options: Options<I> = {},
): Promise<R> {
  const url = new URL(args.request.url);
  const { app } = args.context;
  try {
    if (options.whenSignedOut === "redirect" && !app.user) throw new AppError("UNAUTHENTICATED");
    const raw = { ...Object.fromEntries(url.searchParams), ...args.params };
    const parsed = options.input ? options.input.safeParse(raw) : undefined;
    if (parsed && !parsed.success) throw new AppError("NOT_FOUND");
    return pageData(await useCase(app, parsed?.data as I));
  } catch (thrown) {
    if (thrown instanceof Response) throw thrown;
    if (isAppError(thrown) && thrown.code === "UNAUTHENTICATED" && options.whenSignedOut !== undefined) {
      throw redirect(signInPath(url.pathname + url.search));
    }
    const answer = errorAnswer(thrown);
    throw data(answer.body, { status: answer.status, headers: answer.headers });
  }
}
