// The types and schemas of accounts, made from the rules in rules.ts. Missing and non-text fields count as
// empty.

import { z } from "zod";
import { isSecret, problemsOf, type Rules } from "~/domain/field-rules";
import type { PlanName } from "~/domain/payments/products";
import { oneLine, secret } from "~/domain/text-fields";
import type { Instant } from "~/domain/time";
import { asciiAddress } from "./addresses";
import {
  accountRules,
  codeRules,
  deletionRules,
  forgotRules,
  loginRules,
  passkeyRules,
  passwordRules,
  personRules,
  profileRules,
  resetRules,
  twoStepRules,
} from "./rules";
import { MAX_PASSKEYS } from "./sign-in";

/** The signed-in user, as `GET /get-user` shows them (E-01). Tokens in hundredths. */
export type Account = {
  id: number;
  personId: number;
  username: string;
  email: string;
  firstName: string;
  lastName: string;
  roleId: number;
  tokens: number;
  owed: number;
  isNew: boolean;
  newMessages: string[];
  subscription: AccountSubscription | null;
  myGoals: { id: number; uuid: string; title: string }[];
};
type AccountSubscription = {
  id: number;
  product: PlanName;
  startDate: Instant;
  endDate: Instant | null;
  stripeSubStatus: string;
};
/** The public part of a user. */
export type Person = { id: number; username: string };

type FieldTexts<Name extends string> = Record<Name, string>;
/** A schema of the fields that the rules name. A value that is not text counts as empty. */
const fieldSchema = <Name extends string>(rules: Rules<Name>, presence: "required" | "optional") => {
  const names = Object.keys(rules) as Name[];
  const kindOf = (name: Name) =>
    isSecret(name) ? secret() : name === "email" ? oneLine().overwrite(asciiAddress) : oneLine();
  const kinds = names.map((name) => [
    name,
    presence === "required" ? kindOf(name).default("") : kindOf(name).optional(),
  ]);
  return z.preprocess(
    (raw) => {
      const fields = (typeof raw === "object" && raw !== null ? raw : {}) as Record<string, unknown>;
      return Object.fromEntries(
        names
          .filter((name) => fields[name] != null)
          .map((name) => [name, typeof fields[name] === "string" ? fields[name] : ""]),
      );
    },
    z.object(Object.fromEntries(kinds)),
  ) as unknown as z.ZodType<FieldTexts<Name>>;
};

function addProblems(rules: Rules, values: Partial<FieldTexts<string>>, ctx: z.RefinementCtx): void {
  for (const [name, sentences] of Object.entries(problemsOf(rules, values) ?? {}))
    for (const message of sentences) ctx.addIssue({ code: "custom", path: [name], message });
}

/** A form schema that checks every field, so that all errors appear together. */
export const schemaOf = <Name extends string>(rules: Rules<Name>): z.ZodType<FieldTexts<Name>> =>
  fieldSchema(rules, "required").superRefine((values, ctx) => addProblems(rules, values, ctx));

/** Like `schemaOf`, for a partial update: missing fields are not checked and stay unchanged. */
const partialSchemaOf = <Name extends string>(rules: Rules<Name>): z.ZodType<Partial<FieldTexts<Name>>> =>
  fieldSchema(rules, "optional").superRefine((values, ctx) => {
    const rulesOfSentFields = Object.entries(rules).filter(([name]) => name in values);
    addProblems(Object.fromEntries(rulesOfSentFields) as Rules, values, ctx);
  });

export const LoginInput = schemaOf(loginRules);
export const RegisterInput = schemaOf(accountRules);
export const ForgotInput = schemaOf(forgotRules);
/** `passkeys`: the ids of the passkeys that are removed together with the old password. */
export const ResetInput = z.intersection(
  schemaOf(resetRules),
  z.object({
    passkeys: z
      .union([oneLine(), z.array(oneLine()).max(MAX_PASSKEYS)])
      .optional()
      .transform((selection) => (selection === undefined ? [] : [selection].flat())),
  }),
);
export const PasswordInput = schemaOf(passwordRules);
export const DeletionInput = schemaOf(deletionRules);
export const ProfileInput = schemaOf(profileRules);
export const ProfilePatch = partialSchemaOf(profileRules);
export const PersonInput = schemaOf(personRules);
export const CodeInput = schemaOf(codeRules);
export const TwoStepInput = schemaOf(twoStepRules);
export const PasskeyNameInput = schemaOf(passkeyRules);
/** The answer of a browser's passkey; the library validates it. */
export const PasskeyResponseInput = z.looseObject({
  id: oneLine().min(1).max(1400),
  response: z.record(oneLine(), z.unknown()),
});

/** A login on the security page. */
export type ListedLogin = {
  /** The handle for ending it: the hash of the cookie, which is useless as a cookie. */
  id: string;
  userAgent: string;
  place: string;
  createdAt: Instant;
  lastSeenAt: Instant;
  isThisOne: boolean;
};
