// The forms of accounts. Their rules are the browser's too (domain/account-rules.ts).
import { z } from "zod";
import { loginRules, registerRules, safePath } from "~/domain/account-rules";
import { schemaOf } from "~/domain/accounts";
import type { Rules } from "~/domain/field-rules";

/** With the path of ours that a success leads to. */
const withNext = <Name extends string>(rules: Rules<Name>) =>
  z.intersection(
    schemaOf(rules),
    z.object({ next: z.string().optional().catch(undefined).transform(safePath) }),
  );

export const LoginForm = withNext(loginRules);
export const RegisterForm = withNext(registerRules);
/** The secret of a mailed link; "" where there is none. */
export const LinkToken = z.object({ token: z.string().max(200).catch("").default("") });
export const PersonChoice = z.object({ person: z.string() });
export const LoginChoice = z.object({ login: z.string() });
export const SubscriptionChoice = z.object({ id: z.coerce.number().int() });
export const PlanChoice = z.object({ product: z.string() });
/** A button's form, which says nothing but its intent. */
export const NoFields = z.object({});
