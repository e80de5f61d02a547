// Every JSON call: one table, put together from a file per noun.
import { accountCalls } from "./calls/accounts";
import { systemCalls } from "./calls/system";

export const calls = { ...systemCalls, ...accountCalls };
export type CallName = keyof typeof calls;
