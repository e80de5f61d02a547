// Every JSON call: one table, put together from a file per noun.
import { accountCalls } from "./calls/accounts";
import { itemCalls } from "./calls/items";
import { logCalls } from "./calls/logs";
import { paymentCalls } from "./calls/payments";
import { systemCalls } from "./calls/system";

export const calls = { ...systemCalls, ...accountCalls, ...itemCalls, ...logCalls, ...paymentCalls };
