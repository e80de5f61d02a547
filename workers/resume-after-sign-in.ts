// Runs the act that waited for a sign-in, once, and only for the person whose page began it.
import { OTHER_ACCOUNT_BEGAN } from "~/domain/accounts/resume-after-sign-in";
import type { ActToResume } from "~/http/resume-after-sign-in.server";
import { toastCookie } from "~/http/toast.server";
import type { App } from "~/use-cases/app.server";
import { withIdempotencyKey } from "~/use-cases/idempotency.server";
import { isMadeForPerson } from "~/use-cases/made-for.server";
import { hashToken } from "~/use-cases/tokens.server";

/** The request that posts the act, with the headers of the sign-in. */
function requestOf(request: Request, { path, body }: ActToResume): Request {
  const headers = new Headers(request.headers);
  headers.set("Content-Type", "application/x-www-form-urlencoded");
  headers.delete("Content-Length");
  return new Request(new URL(path, request.url), { method: "POST", headers, body, redirect: "manual" });
}

/** Thrown so that no answer is stored under the key: the act changed nothing, and a repeat is refused again. */
class RefusedAct {
  constructor(readonly response: Response) {}
}
/** The redirect after the act, stored as the answer under its key. */
type Landing = { location: string; cookies: string[] };

/**
 * The answer of the act; for any other person, `signedIn` with a sentence about it. A second sign-in with the same act gets
 * the same answer, by a key made from the act.
 */
export async function resumeAfterSignIn(
  app: App,
  request: Request,
  act: ActToResume,
  signedIn: Response,
  post: (request: Request, app: App) => Promise<Response>,
): Promise<Response> {
  if (app.suspensionSentence === undefined && !isMadeForPerson(app.user, act.madeFor)) {
    const answer = new Response(signedIn.body, signedIn);
    answer.headers.append("Set-Cookie", toastCookie(request, { sentence: OTHER_ACCOUNT_BEGAN, log: null }));
    return answer;
  }
  if (!app.user) return post(requestOf(request, act), app);
  const key = await hashToken(act.token);
  const requestKey = { userId: app.user.id, key: `act:${key}`, call: `POST ${act.path}`, bodyHash: key };
  const run = async (keyed: App) => {
    const response = await post(requestOf(request, act), keyed);
    const location = response.headers.get("Location");
    if (response.status !== 302 || location === null) throw new RefusedAct(response);
    const landing: Landing = { location, cookies: response.headers.getSetCookie() };
    return { status: 302, body: JSON.stringify(landing) };
  };
  try {
    const { body } = await withIdempotencyKey(app, requestKey, run, run, { asksFirst: true });
    const { location, cookies } = JSON.parse(body) as Landing;
    const headers = new Headers({ Location: location });
    for (const cookie of cookies) headers.append("Set-Cookie", cookie);
    return new Response(null, { status: 302, headers });
  } catch (thrown) {
    if (thrown instanceof RefusedAct) return thrown.response;
    throw thrown;
  }
}
