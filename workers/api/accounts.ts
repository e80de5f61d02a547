// Accounts: each documented call and the use case that answers it.
import { login, logout, readNewMessage, register, viewUser } from "~/use-cases/accounts/accounts.server";
import { checkLogin } from "~/use-cases/accounts/check-login.server";
import {
  addPasskey,
  loginWithPasskey,
  passkeyCheckOptions,
  passkeyLoginOptions,
  passkeyOptions,
} from "~/use-cases/accounts/passkeys.server";
import { requestPasswordReset, resetPassword } from "~/use-cases/accounts/passwords.server";
import { addPerson, listPersons, readPerson, switchPerson } from "~/use-cases/accounts/persons.server";
import { updateProfile } from "~/use-cases/accounts/profile.server";
import { loginTwoStep } from "~/use-cases/accounts/second-step.server";
import { calls } from "~/wire/calls";
import { serve } from "../serve";

export const accountApi = [
  serve(calls.login, login),
  serve(calls.loginTwoStep, loginTwoStep),
  serve(calls.readPasskeyLogin, passkeyLoginOptions),
  serve(calls.loginWithPasskey, loginWithPasskey),
  serve(calls.register, register),
  serve(calls.logout, logout),
  serve(calls.getUser, viewUser),
  serve(calls.requestPasswordReset, requestPasswordReset),
  serve(calls.resetPassword, resetPassword),
  serve(calls.updateProfile, updateProfile),
  serve(calls.readPasskeyCheck, passkeyCheckOptions),
  serve(calls.checkLogin, checkLogin),
  serve(calls.readNewPasskey, passkeyOptions),
  serve(calls.addPasskey, addPasskey),
  serve(calls.readNewMessage, readNewMessage),
  serve(calls.listPersons, listPersons),
  serve(calls.addPerson, addPerson, (app, _, insertedId) => readPerson(app, insertedId)),
  serve(calls.switchPerson, switchPerson),
];
