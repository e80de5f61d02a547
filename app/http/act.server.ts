// The door of a page's action: picks the intent, parses the form, runs one use case, answers. Works before JavaScript has
// loaded: a plain form post redirects on success and renders the page with its errors and what was typed on failure.
import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, redirect } from "@remix-run/cloudflare";
import type { z } from "zod";
import { readableCookie } from "~/domain/cookies";
import { AppError } from "~/domain/errors";
import type { UseCase } from "~/use-cases/app.server";
import type { ActResult } from "~/wire/act";
import { pageData } from "./page-data.server";
import { readForm, SMALL_FORM } from "./read-form.server";
import { errorAnswer } from "./reply.server";
import { sentBack } from "./sent-back.server";

type Acted = ReturnType<typeof data<ActResult>> | Response;
type Posted = { form: FormData; intent: string; stay: string };
/** One intent of a page's forms, made by `on`. */
export type Handled = { run(args: ActionFunctionArgs, posted: Posted): Promise<Acted> };
export type Intents = Readonly<Record<string, Handled>>;

type Answer<R> = {
  /** Where a form that does not stay redirects; the page it is on, its forms closed, unless this gives a path. */
  then?: (result: R, form: FormData) => string | undefined;
  /** The page itself shows what came of it, so the answer stays in place without JavaScript too. */
  keep?: true;
  /** A success toast (M rows). */
  toast?: string | ((result: R) => string);
};

/** A browser keeps what was typed; without JavaScript a password is typed again rather than sent over the line twice. */
const NEVER_SENT_BACK = ["password", "passwordConfirmation", "currentPassword"];

/** Query keys that open a form; a form that was accepted closes. `_data` is the router's own. */
const OPENS_A_FORM = ["edit", "create", "created", "log", "book_id", "_data"];

function pageOf(request: Request): string {
  const { pathname, searchParams } = new URL(request.url);
  for (const name of OPENS_A_FORM) searchParams.delete(name);
  const search = searchParams.toString();
  return pathname.replace(/\.data$/, "") + (search && `?${search}`);
}

/** An intent of a form: its input schema, its use case, the answer. The path's parameters replace fields of the same name. */
export const on = <S extends z.ZodType, R>(
  schema: S,
  useCase: UseCase<z.output<S>, R>,
  answer: Answer<R> = {},
): Handled => ({
  async run(args, { form, intent, stay }) {
    const stays = stay === "1";
    const isKept = stay !== "";
    for (const [name, value] of Object.entries(args.params)) if (value !== undefined) form.set(name, value);
    const submission = parseWithZod(form, { schema });
    if (submission.status !== "success") {
      const form = sentBack(submission.reply({ hideFields: NEVER_SENT_BACK }), isKept);
      const sentences = Object.values(form.error ?? {}).flatMap((list) => list ?? []);
      const failed: ActResult = {
        intent,
        ok: false,
        code: "INVALID",
        message: sentences[0] ?? "Please check the marked fields.",
        sentences,
        form,
      };
      return data(failed, { status: 422 });
    }
    try {
      const result = await useCase(args.context.app, submission.value as z.output<S>);
      const toast = typeof answer.toast === "function" ? answer.toast(result) : (answer.toast ?? null);
      if (stays || answer.keep) {
        const succeeded: ActResult = { intent, ok: true, result: pageData(result), toast };
        return data(succeeded);
      }
      const headers = toast ? { "Set-Cookie": toastCookie(args.request, toast) } : undefined;
      return redirect(answer.then?.(result, form) ?? pageOf(args.request), { headers });
    } catch (thrown) {
      if (thrown instanceof Response) throw thrown;
      const { status, body, headers } = errorAnswer(thrown);
      const hasFields = Object.keys(body.fields).length > 0;
      const failed: ActResult = {
        intent,
        ok: false,
        code: body.error_code,
        message: body.message,
        sentences: body.errors,
        lacksTokens: body.lacks_tokens,
        form: sentBack(
          submission.reply({
            ...(hasFields ? { fieldErrors: body.fields } : { formErrors: [body.message] }),
            hideFields: NEVER_SENT_BACK,
          }),
          isKept,
        ),
      };
      return data(failed, { status, headers });
    }
  },
});

/** Shown by the root on the next page. */
const toastCookie = (request: { url: string }, sentence: string): string =>
  readableCookie(new URL(request.url).protocol === "https:", "toast", encodeURIComponent(sentence), 30);

/**
 * Runs the intent that the form names in its field `intent` (or the only one). A form says `stay` once JavaScript runs
 * it: its answer then arrives in place instead of as a redirect (`1`), or only a refusal does (`refused`). A form of more
 * than `limit` bytes is refused unread.
 */
export async function act(args: ActionFunctionArgs, intents: Intents, limit = SMALL_FORM): Promise<Acted> {
  const form = await readForm(args.request, limit);
  const names = Object.keys(intents);
  const intent = String(form.get("intent") ?? names[0] ?? "");
  const stay = String(form.get("stay") ?? "");
  form.delete("intent");
  form.delete("stay");
  const handled = Object.hasOwn(intents, intent) ? intents[intent] : undefined;
  if (!handled) throw data(errorAnswer(new AppError("NOT_FOUND")).body, { status: 404 });
  args.context.app.intent = intent;
  return handled.run(args, { form, intent, stay });
}
