// A JSON call by its name in the table of all calls.
import { type CallName, paths } from "~/wire/paths";
import type { CallInput } from "./call-server";
import { makeCall } from "./caller";

/** See callServer. */
export const makeNamedCall = <Answer>(name: CallName, input: CallInput): Promise<Answer> =>
  makeCall<Answer>(paths[name], input);
