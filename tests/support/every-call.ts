// Every JSON call by its name, also those that workers/ answers without `serve`.
import { calls } from "~/wire/calls";
import { handCalls } from "~/wire/calls/by-hand";

export const everyCall = { ...calls, ...handCalls };
export type CallName = keyof typeof everyCall;
