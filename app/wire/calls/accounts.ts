// Accounts: login, registration, profile, passwords, persons (C-08 to C-18).
import { z } from "zod";
import {
  type Account,
  ForgotInput,
  LoginInput,
  PasskeyNameInput,
  PasskeyResponseInput,
  type Person,
  PersonInput,
  ProfilePatch,
  RegisterInput,
  ResetInput,
  schemaOf,
  TwoStepInput,
} from "~/domain/accounts/accounts";
import { RESET_DONE, RESET_SENT, required } from "~/domain/accounts/rules";
import { isOtherAddress, type SecondStep } from "~/domain/accounts/sign-in";
import { oneLine, secret } from "~/domain/text-fields";
import type { Instant } from "~/domain/time";
import { newMessagesOut, passkeyOut, personOut, userOut } from "../accounts/accounts";
import { call, fields, isObject, nothing } from "../call";

/** Account data is small. */
const bodyLimit = 16 * 1024;
const asUser = (account: Account) => ({ user: userOut(account) });
/** The options of a browser's passkey request, in the words of WebAuthn. */
const asOptions = <Options>(options: Options) => ({ options });
// The reference publishes the names of these types as schemas.
type Credential = { id: string; type: string; transports?: string[] };
type PasskeyOptions = {
  challenge: string;
  timeout?: number;
  extensions?: { credProps?: boolean };
  hints?: string[];
};
type Request = PasskeyOptions & {
  rpId?: string;
  allowCredentials?: Credential[];
  userVerification?: string;
};
type Creation = PasskeyOptions & {
  rp: { id?: string; name: string };
  user: { id: string; name: string; displayName: string };
  pubKeyCredParams: { alg: number; type: string }[];
  excludeCredentials?: Credential[];
  authenticatorSelection?: {
    authenticatorAttachment?: string;
    requireResidentKey?: boolean;
    residentKey?: string;
    userVerification?: string;
  };
  attestation?: string;
  attestationFormats?: string[];
};

type LoginAnswer =
  | { account: Account; twoStep: null }
  | { account: null; twoStep: { token: string; methods: SecondStep[] } };
type PasskeyAdded = { id: string; name: string; createdAt: Instant };

type Body = Record<string, unknown>;
/** Parses the body with `schema`; `read` renames fields whose wire name differs. */
const bodyAs = <S extends z.ZodType>(schema: S, read: (body: Body) => Body = (body) => body) =>
  z.preprocess((raw) => {
    const { body } = raw as { body: unknown };
    return read(isObject(body) ? body : {});
  }, schema);

export const accountCalls = {
  login: call("POST /login", "Sign in with email and password", {
    scope: "none",
    limits: ["login", "login-account", "login-device", "login-network", "login-network-wider"],
    input: bodyAs(LoginInput),
    who: "anyone",
    bodyLimit,
    answer: ({ account, twoStep }: LoginAnswer) =>
      account ? asUser(account) : { user: null, two_step: twoStep },
  }),
  loginTwoStep: call("POST /login/two-step", "Send the second step of a sign-in", {
    scope: "none",
    limits: ["second-step", "second-step-account", "second-step-device"],
    input: bodyAs(TwoStepInput),
    who: "anyone",
    bodyLimit,
    answer: asUser,
  }),
  readPasskeyLogin: call("POST /login/passkey/options", "Ask for the challenge of a passkey sign-in", {
    scope: "none",
    limits: ["passkey"],
    input: nothing,
    who: "anyone",
    bodyLimit,
    answer: asOptions<Request>,
  }),
  loginWithPasskey: call("POST /login/passkey", "Sign in with a passkey", {
    scope: "none",
    limits: ["passkey"],
    input: bodyAs(z.object({ response: PasskeyResponseInput })),
    who: "anyone",
    bodyLimit,
    answer: asUser,
  }),
  register: call("POST /register", "Register an account", {
    scope: "none",
    limits: ["confirm-mail", "register"],
    // `name` is the fallback for a missing first name.
    input: bodyAs(RegisterInput, (body) => ({
      ...body,
      firstName: body.first_name ?? body.name,
      lastName: body.last_name,
      passwordConfirmation: body.password_confirmation,
    })),
    who: "anyone",
    status: 201,
    bodyLimit,
    answer: asUser,
  }),
  logout: call("POST /logout", "Sign out", {
    scope: "none",
    input: nothing,
    who: "anyone",
    status: 204,
    answer: () => null,
  }),
  getUser: call("GET /get-user", "Read the signed-in user", {
    scope: "read",
    input: nothing,
    answer: userOut,
  }),
  requestPasswordReset: call("POST /get-password-reset", "Request the email that resets a password", {
    scope: "none",
    limits: ["reset-mail", "reset-mail-account", "reset-mail-device", "reset-mail-network"],
    input: bodyAs(ForgotInput),
    who: "anyone",
    bodyLimit,
    answer: () => ({ message: RESET_SENT }),
  }),
  resetPassword: call("POST /post-reset-password", "Set a new password with the token of an email", {
    scope: "none",
    limits: ["reset"],
    input: bodyAs(ResetInput, (body) => ({ ...body, passwordConfirmation: body.password_confirmation })),
    who: "anyone",
    bodyLimit,
    answer: () => ({ message: RESET_DONE }),
  }),
  updateProfile: call("PATCH /account/user/profile", "Change the profile, the address or the password", {
    scope: "none",
    limits: ["change-password", "change-profile", "confirm-mail"],
    input: bodyAs(ProfilePatch, (body) => {
      const { email, first_name, last_name, current_password } = isObject(body.userData)
        ? body.userData
        : body;
      // A name may be empty; an address may not, and is refused.
      const emptyIfNull = (text: unknown) => (text === null ? "" : text);
      return {
        email: emptyIfNull(email),
        firstName: emptyIfNull(first_name),
        lastName: emptyIfNull(last_name),
        currentPassword: current_password,
      };
    }),
    needsCheck: isOtherAddress,
    bodyLimit,
    answer: asUser,
  }),
  readPasskeyCheck: call("POST /account/check/options", "Ask for the challenge of a check by passkey", {
    scope: "none",
    limits: ["passkey"],
    input: nothing,
    bodyLimit,
    answer: asOptions<Request>,
  }),
  checkLogin: call("POST /account/check", "Confirm that it is still you", {
    scope: "none",
    limits: ["change-password", "passkey", "second-step", "second-step-account", "second-step-device"],
    input: bodyAs(
      z.object({
        currentPassword: secret().max(1024).optional(),
        code: oneLine().max(100).optional(),
        response: PasskeyResponseInput.optional(),
      }),
      (body) => ({ ...body, currentPassword: body.current_password }),
    ),
    status: 204,
    bodyLimit,
    answer: () => null,
  }),
  readNewPasskey: call("POST /account/passkeys/options", "Ask for the options of a new passkey", {
    scope: "none",
    limits: ["change-two-step", "passkey"],
    input: nothing,
    needsCheck: true,
    bodyLimit,
    answer: asOptions<Creation>,
  }),
  addPasskey: call("POST /account/passkeys", "Add a passkey", {
    scope: "none",
    limits: ["change-two-step", "passkey"],
    input: bodyAs(z.intersection(PasskeyNameInput, z.object({ response: PasskeyResponseInput }))),
    needsCheck: true,
    status: 201,
    bodyLimit,
    answer: ({ id, ...passkey }: PasskeyAdded) => ({ passkey: { id, ...passkeyOut(passkey) } }),
  }),
  readNewMessage: call("POST /api/users/read-new-message", "Mark a message to new users as read", {
    scope: "none",
    input: bodyAs(schemaOf({ messageKey: required }), (body) => ({ messageKey: body.message_key })),
    bodyLimit,
    answer: (keys: string[]) => ({ new_messages: newMessagesOut(keys) }),
  }),
  listPersons: call("GET /me/persons", "List the persons of the account", {
    scope: "read",
    input: nothing,
    answer: ({ persons, current }: { persons: Person[]; current: Person }) => ({
      persons: persons.map(personOut),
      person: personOut(current),
    }),
  }),
  addPerson: call("POST /me/persons", "Add a person to the account", {
    scope: "none",
    limits: ["add-person"],
    input: bodyAs(PersonInput),
    isRepeatable: true,
    keyFirst: "a repeat does not count against the few persons an hour",
    bodyLimit,
    answer: (person: Person) => ({ person: personOut(person) }),
  }),
  switchPerson: call("POST /me/persons/{person}/switch-to", "Act as another person of the account", {
    scope: "none",
    input: fields({ params: { person: oneLine() } }),
    bodyLimit,
    answer: (person: Person) => ({ person: personOut(person) }),
  }),
};
