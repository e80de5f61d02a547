// Every JSON call: one table, put together from a file per noun.
import { accountCalls } from "./calls/accounts";
import { goalCalls } from "./calls/goals";
import { itemCalls } from "./calls/items";
import { logCalls } from "./calls/logs";
import { myCalls } from "./calls/my";
import { noteCalls } from "./calls/notes";
import { paymentCalls } from "./calls/payments";
import { systemCalls } from "./calls/system";

export const calls = {
  ...systemCalls,
  ...accountCalls,
  ...itemCalls,
  ...goalCalls,
  ...logCalls,
  ...noteCalls,
  ...myCalls,
  ...paymentCalls,
};
