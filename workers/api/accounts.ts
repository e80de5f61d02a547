// Accounts: each documented call and the use case that answers it.
import {
  login,
  logout,
  readNewMessage,
  register,
  updateProfile,
  viewUser,
} from "~/use-cases/accounts.server";
import { requestPasswordReset, resetPassword } from "~/use-cases/accounts-passwords.server";
import { addPerson, listPersons, readPerson, switchPerson } from "~/use-cases/persons.server";
import { calls } from "~/wire/calls";
import { serve } from "../serve";

export const accountApi = [
  serve(calls.login, login),
  serve(calls.register, register),
  serve(calls.logout, logout),
  serve(calls.getUser, viewUser),
  serve(calls.requestPasswordReset, requestPasswordReset),
  serve(calls.resetPassword, resetPassword),
  serve(calls.updateProfile, updateProfile),
  serve(calls.readNewMessage, readNewMessage),
  serve(calls.listPersons, listPersons),
  serve(calls.addPerson, addPerson, (app, _, made) => readPerson(app, made)),
  serve(calls.switchPerson, switchPerson),
];
