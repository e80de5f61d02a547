// The forms of accounts. The browser checks the same rules (domain/accounts/rules.ts).

import { z } from "zod";
import { PasskeyNameInput, PasskeyResponseInput, schemaOf } from "~/domain/accounts/accounts";
import { KEY_DAYS, KEY_SCOPES, keyRules } from "~/domain/accounts/api-keys";
import { codeRules, deletionRules, loginRules, registerRules, twoStepRules } from "~/domain/accounts/rules";
import { safePath } from "~/domain/accounts/safe-path";
import { PASSKEY_REFUSED } from "~/domain/accounts/sign-in";
import { DISTANCE_UNITS } from "~/domain/distances";
import type { Rules } from "~/domain/field-rules";
import { oneLine } from "~/domain/text-fields";

const next = z.object({ next: oneLine().optional().catch(undefined).transform(safePath) });
/** Adds the local path of the redirect after success. */
const withNext = <Name extends string>(rules: Rules<Name>) => z.intersection(schemaOf(rules), next);

/** The act that led to the sign-in. */
const actToResume = z.object({ actToResume: oneLine().max(100).catch("").default("") });
export const LoginForm = z.intersection(withNext(loginRules), actToResume);
export const RegisterForm = z.intersection(withNext(registerRules), actToResume);
/** The form that switches between the tabs of the sign-in without JavaScript. */
export const OtherTabForm = z.intersection(next, actToResume);
const PasskeyAnswer = z
  .string()
  .max(20_000)
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: "custom", message: PASSKEY_REFUSED });
      return z.NEVER;
    }
  });
export const PasskeyForm = z.intersection(
  OtherTabForm,
  z.object({ response: PasskeyAnswer.pipe(PasskeyResponseInput) }),
);
/** The token of an emailed link; "" when it is missing. */
export const LinkToken = z.object({ token: oneLine().max(200).catch("").default("") });
export const TwoStepForm = z.intersection(withNext(twoStepRules), actToResume);
export const PasswordCheckForm = withNext(deletionRules);
export const CodeCheckForm = withNext(codeRules);
export const PasskeyChoice = z.object({ passkey: oneLine().max(1400) });
export const PasskeyRename = z.intersection(PasskeyNameInput, PasskeyChoice);
const NO_SCOPE = "Please choose at least one.";
/** Ticked checkboxes of one name: none, one or several. */
const scopes = z
  .union(
    [
      z.enum(KEY_SCOPES).transform((scope) => [scope]),
      z.array(z.enum(KEY_SCOPES)).min(1, NO_SCOPE).max(KEY_SCOPES.length),
    ],
    NO_SCOPE,
  )
  .transform((chosen) => KEY_SCOPES.filter((scope) => chosen.includes(scope)));
export const KeyForm = z.intersection(
  schemaOf(keyRules),
  z.object({
    scopes,
    days: z.coerce.number().pipe(z.literal(KEY_DAYS, "Please choose 30, 90 or 365 days.")),
  }),
);
export const KeyChoice = z.object({ key: oneLine().max(100) });
export const PersonChoice = z.object({ person: oneLine() });
export const ShownAttendance = PersonChoice.extend({
  isShown: z.preprocess((value) => value === "1", z.boolean()),
});
export const NameChoice = z.object({ username: oneLine().max(100) });
export const LoginChoice = z.object({ login: oneLine() });
export const SubscriptionChoice = z.object({ id: z.coerce.number().int() });
export const PlanChoice = z.object({ product: oneLine() });

/** Without a choice the browser's locale decides (H-07). */
export const DistanceChoice = z.object({
  unit: z.preprocess((value) => value || null, z.enum(DISTANCE_UNITS, "Please choose a unit.").nullable()),
});
