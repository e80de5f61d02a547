// Push subscriptions: each documented call and the use case that answers it.
import { addSubscription, removeSubscription } from "~/use-cases/notices/push.server";
import { calls } from "~/wire/calls";
import { serve } from "../serve";

export const pushApi = [
  serve(calls.addSubscription, addSubscription),
  serve(calls.removeSubscription, removeSubscription),
];
