// Handles a page's form action: it selects the intent, parses the form, runs one use case and answers. Without
// JavaScript a success redirects, and a refusal renders the page with the errors and typed values.
import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, redirect } from "@remix-run/cloudflare";
import { z } from "zod";
import { type NeedsCheck, requireCheck } from "~/domain/accounts/sign-in";
import { AppError, isAppError } from "~/domain/errors";
import { admitToForm, guestRefused } from "~/domain/guest-rights";
import type { Reader } from "~/domain/numbers";
import { instant } from "~/domain/time";
import { readAs } from "~/forms/reading";
import { type App, readerOf, type UseCase } from "~/use-cases/app.server";
import { withIdempotencyKey } from "~/use-cases/idempotency.server";
import { requireMadeFor, uuidOfForm } from "~/use-cases/made-for.server";
import { repeatableIds } from "~/use-cases/new-id.server";
import { nameReserves } from "~/use-cases/payments/reserves.server";
import type { ActResult, RefusedAct } from "~/wire/act";
import { MADE_FOR_FIELD } from "~/wire/made-for";
import { READER_FIELD, readerOfField } from "~/wire/reader";
import { sortErrors } from "./fields-of-form.server";
import { confirmPath } from "./load.server";
import { MAX_BYTES_WITHOUT_TEXTS, readForm } from "./read-form.server";
import { errorAnswer } from "./reply.server";
import { RESUMED, storeActToResume } from "./resume-after-sign-in.server";
import { deleteReturnedForm, saveReturnedForm } from "./returned-form.server";
import { withoutLongValues } from "./sent-back.server";
import { toastCookie } from "./toast.server";
import { refuseUserIds, type WithoutUserIds } from "./user-ids.server";

type ActionAnswer = ReturnType<typeof data<ActResult>> | Response;
/** With `isResumed` the action redirects, because the current address is the sign-in's. */
type Posted = {
  form: FormData;
  intent: string;
  stay: string;
  isResumed: boolean;
  reader: Reader;
  /** The mark of the form's page. */
  madeFor: string | null;
  /**
   * Equal for equal fields of the same rendered form. Null for a visitor, for a form that scripts send, and for a
   * page from before this mark.
   */
  uuid: string | null;
};
/** The handler of one intent, made by `on`. */
export type IntentHandler = { run(args: ActionFunctionArgs, posted: Posted): Promise<ActionAnswer> };
export type Intents = Readonly<Record<string, IntentHandler>>;

type Answer<I, R> = {
  /** REAUTH_REQUIRED unless the login was checked within 15 minutes. Each act of a super admin needs it. */
  needsCheck?: NeedsCheck<I>;
  /** The redirect after success without JavaScript; by default the current page with its forms closed. */
  redirectTo?: (result: R, form: FormData) => string | undefined;
  /** The page shows the result itself, so it renders in place without JavaScript too. */
  rendersResult?: true | ((result: R) => boolean);
  /** A success toast (M rows). */
  toast?: string | ((result: R, app: App) => string);
  /** The toast after a sign-in that ran the act, if otherwise only the page shows its result. */
  resumedToast?: string;
  /** Names whose errors the page shows beside a group of fields, without a field of that name. */
  showsErrorsOf?: readonly string[];
  /** The log that the toast's Undo deletes, on the page after the redirect. */
  undoes?: (result: R) => number;
  /**
   * Reads what an earlier request with the same form has made, by the id of its row. Only for a thing that stores
   * no uuid itself.
   */
  readAgain?: (app: App, insertedId: number) => Promise<R>;
};

/**
 * A hydrated page still holds the typed values. Without JavaScript the user types a password again, so that the server
 * never sends it back.
 */
const NEVER_SENT_BACK = ["password", "passwordConfirmation", "currentPassword"];

/** Query keys that open a form; a success removes them. `_data` belongs to the router. */
const OPENS_A_FORM = ["edit", "create", "created", "log", "book_id", "_data"];

function pageOf(request: Request): string {
  const { pathname, searchParams } = new URL(request.url);
  for (const name of OPENS_A_FORM) searchParams.delete(name);
  const search = searchParams.toString();
  return pathname.replace(/\.data$/, "") + (search && `?${search}`);
}

/** The handler of an intent: its schema and use case. Path parameters replace fields of the same name. */
export const on = <S extends z.ZodType, R>(
  schema: S,
  useCase: UseCase<z.output<S>, R> & WithoutUserIds<R>,
  answer: Answer<z.output<S>, R> = {},
): IntentHandler => ({
  async run(args, posted) {
    const { form, intent, stay, isResumed } = posted;
    const stays = stay === "1";
    const isHydrated = stay !== "";
    const formFields = {
      schema,
      posted: [...form.keys()],
      params: Object.keys(args.params),
      shows: answer.showsErrorsOf ?? [],
    };
    const sort: SortErrors = (errors) => sortErrors(errors, formFields);
    for (const [name, value] of Object.entries(args.params)) if (value !== undefined) form.set(name, value);
    const isUuidDerived = posted.uuid !== null && !form.get("uuid");
    if (isUuidDerived) form.set("uuid", posted.uuid ?? "");
    // A corrected form gets another uuid.
    const hideFields = isUuidDerived ? [...NEVER_SENT_BACK, "uuid"] : NEVER_SENT_BACK;
    const submission = readAs(posted.reader, () => parseWithZod(form, { schema }));
    if (submission.status !== "success") {
      const form = withoutLongValues(submission.reply({ hideFields }), isHydrated);
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
    const { app } = args.context;
    const input = submission.value as z.output<S>;
    try {
      requireCheck(app.user, { needsCheck: answer.needsCheck, input, now: app.now });
      const run = (runningApp: App) => useCase(runningApp, input);
      const { readAgain } = answer;
      const result = await (readAgain ? runOnce(app, posted, run, readAgain) : run(app));
      const ownToast = typeof answer.toast === "function" ? answer.toast(result, app) : answer.toast;
      const toast = ownToast ?? (isResumed ? answer.resumedToast : null) ?? null;
      const headers = new Headers(deleteReturnedForm(args.request, intent));
      const rendersResult =
        typeof answer.rendersResult === "function"
          ? answer.rendersResult(result)
          : answer.rendersResult === true;
      if (stays || (rendersResult && !isResumed)) {
        if (app.settings.isLocalRun) refuseUserIds(result);
        const succeeded: ActResult = { intent, ok: true, result, toast };
        return data(succeeded, { headers });
      }
      const log = answer.undoes?.(result) ?? null;
      if (toast) headers.append("Set-Cookie", toastCookie(args.request, { sentence: toast, log }));
      return redirect(answer.redirectTo?.(result, form) ?? pageOf(args.request), { headers });
    } catch (thrown) {
      if (thrown instanceof Response) throw thrown;
      if (isAppError(thrown) && thrown.code === "REAUTH_REQUIRED" && !isHydrated) {
        const values = withoutLongValues(submission.reply({ hideFields }), false).initialValue ?? {};
        const cookie = saveReturnedForm(args.request, { userId: app.user?.id ?? 0, intent, values });
        return redirect(confirmPath(args.request), { headers: { "Set-Cookie": cookie } });
      }
      const asksForSignIn = isAppError(thrown) && thrown.code === "UNAUTHENTICATED" && !isHydrated;
      if (asksForSignIn && !app.user) await storeActToResume(app, args.request, posted);
      const refused = await nameReserves(app, thrown);
      return refuse(refused, {
        intent,
        stay,
        submission,
        sort,
        hideFields,
        isKept: app.actToResume !== undefined,
      });
    }
  },
});

type SortErrors = (errors: Record<string, string[]>) => Pick<Reply, "fieldErrors" | "formErrors">;

/** Runs the use case of a form once, however often the form is sent. */
async function runOnce<R>(
  app: App,
  { intent, uuid }: Posted,
  run: (app: App) => Promise<R>,
  readAgain: (app: App, insertedId: number) => Promise<R>,
): Promise<R> {
  if (!app.user || uuid === null) return run(app);
  const request = { userId: app.user.id, key: `form:${uuid}`, call: `form ${intent}`, bodyHash: uuid };
  const stored = async (result: Promise<R>) => ({ status: 200, body: JSON.stringify(await result) });
  const { body } = await withIdempotencyKey(
    app,
    request,
    (keyedApp) => stored(run(keyedApp)),
    (keyedApp, insertedId) => stored(readAgain(keyedApp, insertedId ?? 0)),
  );
  return JSON.parse(body) as R;
}

/** The uuid of what a form makes, from the uuid beside its mark and all its fields. */
function uuidOf(
  { context, request }: ActionFunctionArgs,
  intent: string,
  madeFor: string | null,
  form: FormData,
): string | null {
  const { user } = context.app;
  const renderedUuid = uuidOfForm(madeFor);
  if (!user || renderedUuid === null) return null;
  const call = JSON.stringify([new URL(request.url).pathname, intent, ...form]);
  return repeatableIds({ userId: user.id, key: renderedUuid, call }, instant(0))();
}

type Submitted = {
  intent: string;
  stay: string;
  submission: { reply(options: Reply): RefusedAct["form"] };
  /** Without it all errors stay at their fields. */
  sort?: SortErrors;
  hideFields?: string[];
  isKept?: boolean;
};
type Reply = { formErrors?: string[]; fieldErrors?: Record<string, string[]>; hideFields: string[] };

/** Renders the page again, with the typed values and the reason of the refusal. */
function refuse(
  thrown: unknown,
  { intent, stay, submission, sort, hideFields = NEVER_SENT_BACK, isKept }: Submitted,
): ActionAnswer {
  const { status, body, headers } = errorAnswer(thrown);
  // The form shows a newer save as a whole, with its texts.
  const hasFields = body.newer === undefined && Object.keys(body.fields).length > 0;
  const failed: RefusedAct = {
    intent,
    ok: false,
    code: body.error_code,
    message: body.message,
    sentences: body.errors,
    lacksTokens: body.lacks_tokens,
    ...(isAppError(thrown) && thrown.asksToConfirm && { asksToConfirm: true }),
    newer: body.newer,
    ...(isKept && { isKept }),
    form: withoutLongValues(
      submission.reply({
        ...(hasFields
          ? (sort?.(body.fields) ?? { fieldErrors: body.fields })
          : { formErrors: [body.message] }),
        hideFields,
      }),
      stay !== "",
    ),
  };
  return data<ActResult>(failed, { status, headers });
}

/**
 * Runs the intent that the field `intent` names, or the first. A hydrated form sets `stay`: `1` answers in place instead
 * of redirecting, `refused` does so only for a refusal. A form of more than `limit` bytes is refused unread.
 */
export async function act(
  args: ActionFunctionArgs,
  intents: Intents,
  limit = MAX_BYTES_WITHOUT_TEXTS,
): Promise<ActionAnswer> {
  if (args.context.app.suspensionSentence !== undefined) throw redirect("/account/suspended");
  const form = await readForm(args.request, limit);
  const names = Object.keys(intents);
  const intent = String(form.get("intent") ?? names[0] ?? "");
  const isResumed = form.get("stay") === RESUMED;
  const stay = isResumed ? "" : String(form.get("stay") ?? "");
  const mark = form.get(MADE_FOR_FIELD);
  const madeFor = typeof mark === "string" && mark !== "" ? mark : null;
  const reader = readerOfField(form.get(READER_FIELD)) ?? readerOf(args.context.app);
  for (const name of ["intent", "stay", MADE_FOR_FIELD, READER_FIELD]) form.delete(name);
  const { user } = args.context.app;
  try {
    if (args.context.app.refusedGuestOf !== undefined) throw guestRefused();
    admitToForm(user, intent);
    requireMadeFor(user, madeFor);
  } catch (thrown) {
    return refuse(thrown, { intent, stay, submission: parseWithZod(form, { schema: z.looseObject({}) }) });
  }
  const handler = Object.hasOwn(intents, intent) ? intents[intent] : undefined;
  if (!handler) throw data(errorAnswer(new AppError("NOT_FOUND")).body, { status: 404 });
  args.context.app.intent = intent;
  const uuid = uuidOf(args, intent, madeFor, form);
  return handler.run(args, { form, intent, stay, isResumed, reader, madeFor, uuid });
}
