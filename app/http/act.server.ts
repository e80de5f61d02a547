// The door of a page's action: which intent, parse the form, run one use case, answer. Works before JavaScript has
// loaded: a plain form post gets a redirect on success and the page with its errors and what was typed on failure.
import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, redirect } from "@remix-run/cloudflare";
import type { z } from "zod";
import { AppError } from "~/domain/errors";
import type { UseCase } from "~/use-cases/app.server";
import type { ActResult } from "~/wire/act";
import { errorAnswer } from "./reply.server";

type Acted = ReturnType<typeof data<ActResult>> | Response;
type Handled = { run(args: ActionFunctionArgs, form: FormData, intent: string): Promise<Acted> };

type Answer<R> = {
  /** Where a successful post leads; without it the page stays. */
  then?: (result: R) => string;
  /** A success toast (M rows). */
  toast?: string | ((result: R) => string);
};

/** A browser keeps what was typed; without JavaScript a password is typed again rather than sent over the line twice. */
const NEVER_SENT_BACK = ["password", "passwordConfirmation", "currentPassword"];

/** An intent of a form: its input schema, its use case, what follows. The path's parameters join the form's fields. */
export const on = <S extends z.ZodType, R>(
  schema: S,
  useCase: UseCase<z.output<S>, R>,
  answer: Answer<R> = {},
): Handled => ({
  async run(args, form, intent) {
    for (const [name, value] of Object.entries(args.params))
      if (value !== undefined && !form.has(name)) form.set(name, value);
    const submission = parseWithZod(form, { schema });
    if (submission.status !== "success") {
      const form = submission.reply({ hideFields: NEVER_SENT_BACK });
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
      if (answer.then) {
        const headers = toast ? { "Set-Cookie": toastCookie(toast) } : undefined;
        return redirect(answer.then(result), { headers });
      }
      const succeeded: ActResult = { intent, ok: true, result, toast };
      return data(succeeded);
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
        form: submission.reply({
          ...(hasFields ? { fieldErrors: body.fields } : { formErrors: [body.message] }),
          hideFields: NEVER_SENT_BACK,
        }),
      };
      return data(failed, { status, headers });
    }
  },
});

/** Shown by the root once the next page stands. */
export const toastCookie = (sentence: string): string =>
  `toast=${encodeURIComponent(sentence)}; Path=/; Max-Age=30; SameSite=Lax`;

/** Runs the intent the form names in its field `intent` (or the only one). */
export async function act(args: ActionFunctionArgs, intents: Record<string, Handled>): Promise<Acted> {
  const form = await args.request.formData();
  const names = Object.keys(intents);
  const intent = String(form.get("intent") ?? names[0] ?? "");
  form.delete("intent");
  const handled = intents[intent];
  if (!handled) throw data(errorAnswer(new AppError("NOT_FOUND")).body, { status: 404 });
  return handled.run(args, form, intent);
}
