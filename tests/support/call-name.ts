// The name of a call in the tables of the tests.
import type { everyCall } from "~/wire/calls";

export type CallName = keyof typeof everyCall;
