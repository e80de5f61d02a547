// The renewed check of a signed-in user: by password, code or passkey. It is valid for 15 minutes.
import * as logins from "#db/queries/accounts/logins";
import * as queries from "#db/queries/accounts/two-step";
import * as accountRefusals from "~/domain/accounts/refusals";
import { isChecked } from "~/domain/accounts/sign-in";
import { AppError } from "~/domain/errors";
import { requireUser } from "~/domain/permissions";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { logSecurity, type SecurityEvent } from "~/use-cases/security-log.server";
import { requirePassword } from "./current-password.server";
import { checkPasskey, type PasskeyResponse, passkeyHost } from "./passkeys.server";
import { requireCode } from "./second-step.server";

export type CheckPage = {
  email: string;
  isChecked: boolean;
  hasTwoStep: boolean;
  hasPasskey: boolean;
};

/** The ways in which the user may pass the check, besides the password. */
export async function viewCheck(app: App): Promise<CheckPage> {
  const user = requireUser(app.user);
  const [means] = await queries.findMeans(app.db, user.id);
  return {
    email: user.email,
    isChecked: isChecked(user, app.now),
    hasTwoStep: means?.twoStepSince != null,
    hasPasskey: means !== undefined && means.passkeys > 0 && passkeyHost(app) !== null,
  };
}

type CheckMethod = Extract<SecurityEvent, { event: "login-checked" }>["by"];

async function recordCheck(app: App, user: CurrentUser, method: CheckMethod): Promise<void> {
  await logins.checkLogin(app.db, user.loginHash, app.now);
  app.user = { ...user, checkedAt: app.now };
  logSecurity(app, { event: "login-checked", userId: user.id, by: method });
}

/** INVALID at `currentPassword` unless it is right. */
export async function checkByPassword(app: App, input: { currentPassword: string }): Promise<void> {
  const user = requireUser(app.user);
  await requirePassword(app, user, input.currentPassword);
  await recordCheck(app, user, "password");
}

/** INVALID at `code` unless it is right; a code works once. */
export async function checkByCode(app: App, input: { code: string }): Promise<void> {
  const user = requireUser(app.user);
  await requireCode(app, user, input.code);
  await recordCheck(app, user, "code");
}

/** The JSON call, whose body has exactly one of the three proofs; INVALID without any. */
export async function checkLogin(
  app: App,
  input: {
    currentPassword?: string | undefined;
    code?: string | undefined;
    response?: PasskeyResponse | undefined;
  },
): Promise<void> {
  const user = requireUser(app.user);
  if (input.response) {
    await checkPasskey(app, input.response);
    await recordCheck(app, user, "passkey");
  } else if (input.code !== undefined) await checkByCode(app, { code: input.code });
  else if (input.currentPassword !== undefined)
    await checkByPassword(app, { currentPassword: input.currentPassword });
  else throw new AppError("INVALID", accountRefusals.noProof);
}
