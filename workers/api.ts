// Every JSON call and the use case that answers it.
import { Hono, type MiddlewareHandler } from "hono";
import { AppError } from "~/domain/errors";
import { handCalls } from "~/wire/calls/by-hand";
import { accountApi } from "./api/accounts";
import { activityApi } from "./api/activities";
import { slugApi } from "./api/by-slug";
import { goalApi } from "./api/goals";
import { hutApi } from "./api/huts";
import { itemApi, namedApi, takeUpload } from "./api/items";
import { logApi } from "./api/logs";
import { myApi } from "./api/my";
import { noteApi } from "./api/notes";
import { noticeApi } from "./api/notices";
import { mountWebhook, paymentApi } from "./api/payments";
import { postApi } from "./api/posts";
import { pushApi } from "./api/push";
import { safetyApi } from "./api/safety";
import { searchApi } from "./api/search";
import { seriesApi } from "./api/series";
import { sessionApi } from "./api/sessions";
import { admitKey } from "./bearer";
import { readCookies } from "./cookies";
import { hasXsrfToken, SAFE } from "./guards";
import { admit, type HonoEnv, jsonError, pathOf, type Served } from "./serve";

export const api: Served[] = [
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

/** Unsafe calls repeat the cookie's XSRF token in a header; those with a key have no cookie (O-05). */
const requireToken: MiddlewareHandler<HonoEnv> = async (c, next) => {
  if (!c.get("app").key && !SAFE.has(c.req.method) && !hasXsrfToken(c.req.raw, readCookies(c.req.raw)))
    throw new AppError("CSRF_MISMATCH");
  await next();
};

/** The calls as a Hono app of their own, because their errors are JSON. */
export const calls = new Hono<HonoEnv>();
calls.onError((thrown, c) => jsonError(c, thrown));
calls.use(admit);
for (const { call, respond } of api)
  calls.on(call.method, pathOf(call.path), admitKey(call), requireToken, respond);
const { uploadImage } = handCalls;
calls.post(pathOf(uploadImage.path), admitKey(uploadImage), requireToken, takeUpload);
mountWebhook(calls);
