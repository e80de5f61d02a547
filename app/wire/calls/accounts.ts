// Accounts: login, registration, profile, passwords, persons (C-08 to C-18).
import { z } from "zod";
import {
  type Account,
  confirmedOnWire,
  emailAddress,
  newPassword,
  type Person,
  personalName,
  REQUIRED,
  RESET_DONE,
  RESET_SENT,
  requiredText,
  typedPassword,
  username,
} from "~/domain/accounts";
import { newMessagesOut, personOut, userOut } from "../accounts";
import { call, fields, nothing } from "../call";

/** What is said of oneself is small. */
const bodyLimit = 16 * 1024;
const asUser = (account: Account) => ({ user: userOut(account) });
const name = personalName.nullish().transform((text) => text ?? undefined);

const passwords = { password: newPassword, password_confirmation: typedPassword };
const areSame = (typed: { password: string; password_confirmation: string }) =>
  typed.password === typed.password_confirmation;

const registration = z
  .object({ email: emailAddress, username, ...passwords, name, first_name: name, last_name: name })
  .refine(areSame, confirmedOnWire);
const reset = z
  .object({ email: emailAddress, ...passwords, token: requiredText() })
  .refine(areSame, confirmedOnWire);
/** A body that must hold together as a whole; what is no object is an empty one. */
const bodyOf = <S extends z.ZodType>(schema: S) =>
  z.preprocess((raw) => (raw as { body?: unknown }).body ?? {}, schema);

export const accountCalls = {
  login: call("login", {
    input: fields({ body: { email: requiredText(), password: typedPassword } }),
    who: "anyone",
    bodyLimit,
    answer: asUser,
  }),
  register: call("register", {
    // `name` is the first name of who gives no other.
    input: bodyOf(registration).transform(({ email, username, password, name, first_name, last_name }) => ({
      email,
      username,
      password,
      firstName: first_name ?? name ?? "",
      lastName: last_name ?? "",
    })),
    who: "anyone",
    status: 201,
    bodyLimit,
    answer: asUser,
  }),
  logout: call("logout", { input: nothing, who: "anyone", status: 204, answer: () => null }),
  getUser: call("getUser", { input: nothing, answer: userOut }),
  requestPasswordReset: call("requestPasswordReset", {
    input: fields({ body: { email: emailAddress } }),
    who: "anyone",
    bodyLimit,
    answer: () => ({ message: RESET_SENT }),
  }),
  resetPassword: call("resetPassword", {
    input: bodyOf(reset).transform(({ email, password, token }) => ({ email, password, token })),
    who: "anyone",
    bodyLimit,
    answer: () => ({ message: RESET_DONE }),
  }),
  updateProfile: call("updateProfile", {
    input: fields({
      within: "userData",
      body: { email: emailAddress.optional(), first_name: name, last_name: name },
    }).transform(({ email, first_name, last_name }) => ({
      email,
      firstName: first_name,
      lastName: last_name,
    })),
    bodyLimit,
    answer: asUser,
  }),
  readNewMessage: call("readNewMessage", {
    input: fields({ body: { message_key: requiredText(REQUIRED) } }).transform(({ message_key }) => ({
      messageKey: message_key,
    })),
    bodyLimit,
    answer: (keys: string[]) => ({ new_messages: newMessagesOut(keys) }),
  }),
  listPersons: call("listPersons", {
    input: nothing,
    answer: ({ persons, current }: { persons: Person[]; current: Person }) => ({
      persons: persons.map(personOut),
      person: personOut(current),
    }),
  }),
  addPerson: call("addPerson", {
    input: fields({ body: { username } }),
    isRepeatable: true,
    bodyLimit,
    answer: (person: Person) => ({ person: personOut(person) }),
  }),
  switchPerson: call("switchPerson", {
    input: fields({ params: { person: z.string() } }),
    bodyLimit,
    answer: (person: Person) => ({ person: personOut(person) }),
  }),
};
