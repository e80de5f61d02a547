// Accounts with two-step sign-in, turned on through the real forms, and the codes of their authenticators.
import { TOTP } from "otpauth";
import { STEP_DURATION } from "~/domain/accounts/sign-in";
import type { Instant } from "~/domain/time";
import { beginTwoStep, confirmTwoStep, viewSecurity } from "~/use-cases/accounts/two-step.server";
import { registered } from "./accounts";
import { testApp } from "./factories";

export const codeOf = (secret: string, at: number): string =>
  new TOTP({ secret, algorithm: "SHA1", digits: 6, period: 30 }).generate({ timestamp: at });

/** A registered account with two-step sign-in; its first code belongs to the step before `at`. */
export async function withTwoStep(at: number = Date.now()) {
  const { input, user } = await registered();
  const before = (at - STEP_DURATION) as Instant;
  const app = await testApp({ loginToken: user.loginToken, now: before });
  await beginTwoStep(app);
  const secret = (await viewSecurity(app)).setUp?.key.replaceAll(" ", "") ?? "";
  const { codes } = await confirmTwoStep(app, { code: codeOf(secret, before) });
  return { input, user, userId: app.user?.id ?? 0, secret, codes };
}
