// Every JSON call and the use case that answers it.
import type { Context } from "hono";
import { AppError } from "~/domain/errors";
import { admitToCall } from "~/domain/guest-rights";
import type { Call } from "~/wire/call";
import { handCalls } from "~/wire/calls/by-hand";
import { accountApi } from "./api/accounts";
import { activityApi } from "./api/activities";
import { slugApi } from "./api/by-slug";
import { goalApi } from "./api/goals";
import { hutApi } from "./api/huts";
import { itemApi, namedApi, takeUpload, uploadError } from "./api/items";
import { logApi } from "./api/logs";
import { myApi } from "./api/my";
import { noteApi } from "./api/notes";
import { noticeApi } from "./api/notices";
import { paymentApi, takeWebhook } from "./api/payments";
import { postApi } from "./api/posts";
import { pushApi } from "./api/push";
import { safetyApi } from "./api/safety";
import { searchApi } from "./api/search";
import { seriesApi } from "./api/series";
import { sessionApi } from "./api/sessions";
import { admitKey } from "./bearer";
import { readCookies } from "./cookies";
import { hasXsrfToken, SAFE } from "./guards";
import { type HonoEnv, jsonError, type ServedCall, WEBHOOK } from "./serve";

export const api: ServedCall[] = [
  ...accountApi,
  ...activityApi,
  ...slugApi,
  ...hutApi,
  ...itemApi,
  ...goalApi,
  ...logApi,
  ...noteApi,
  ...noticeApi,
  ...myApi,
  ...paymentApi,
  ...sessionApi,
  ...postApi,
  ...pushApi,
  ...safetyApi,
  ...searchApi,
  ...seriesApi,
  ...namedApi,
];

/** Unsafe calls must repeat the cookie's XSRF token in a header. Calls with a key have no cookie (O-05). */
function requireToken(c: Context<HonoEnv>): void {
  if (!c.get("app").key && !SAFE.has(c.req.method) && !hasXsrfToken(c.req.raw, readCookies(c.req.raw)))
    throw new AppError("CSRF_MISMATCH");
}

/** FORBIDDEN to a suspended user, whose request the login has made a visitor's. */
function admitUnsuspended(c: Context<HonoEnv>): void {
  const { suspensionSentence } = c.get("app");
  if (suspensionSentence !== undefined) throw new AppError("FORBIDDEN", suspensionSentence);
}

type Answer = (c: Context<HonoEnv>) => Promise<Response>;

/** Runs the guards of a call before `respond`, and answers errors as JSON by `refuse`. */
const withGuards =
  (
    call: Pick<Call, "method" | "path" | "scope" | "writes">,
    respond: Answer,
    refuse: (c: Context<HonoEnv>, thrown: unknown) => Response = jsonError,
  ): Answer =>
  async (c) => {
    try {
      await admitKey(c, call);
      admitToCall(c.get("app").user, call);
      requireToken(c);
      admitUnsuspended(c);
      return await respond(c);
    } catch (thrown) {
      return refuse(c, thrown);
    }
  };

const answers = new Map<string, Answer>([
  ...api.map(({ call, respond }): [string, Answer] => [
    `${call.method} ${call.path}`,
    withGuards(call, respond),
  ]),
  [`POST ${handCalls.uploadImage.path}`, withGuards(handCalls.uploadImage, takeUpload, uploadError)],
  [`POST ${WEBHOOK}`, takeWebhook],
]);

/** Answers a route that the doors have matched, such as `POST /api/notes`. */
export async function answerCall(route: string, c: Context<HonoEnv>): Promise<Response> {
  const answer = answers.get(route);
  return answer ? answer(c) : jsonError(c, new AppError("NOT_FOUND"));
}
