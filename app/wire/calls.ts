// Every JSON call, assembled from a file per noun. The browser imports paths.ts, which is generated from it.
import { accountCalls } from "./calls/accounts";
import { activityCalls } from "./calls/activities";
import { slugCalls } from "./calls/by-slug";
import { goalCalls } from "./calls/goals";
import { hutCalls } from "./calls/huts";
import { itemPageCalls } from "./calls/item-pages";
import { itemCalls } from "./calls/items";
import { logCalls } from "./calls/logs";
import { myCalls } from "./calls/my";
import { noteCalls } from "./calls/notes";
import { noticeCalls } from "./calls/notices";
import { paymentCalls } from "./calls/payments";
import { postCalls } from "./calls/posts";
import { pushCalls } from "./calls/push";
import { safetyCalls } from "./calls/safety";
import { searchCalls } from "./calls/search";
import { seriesCalls } from "./calls/series";
import { sessionLogCalls } from "./calls/session-logs";
import { sessionPageCalls } from "./calls/session-pages";
import { sessionPartCalls } from "./calls/session-parts";
import { sessionTextCalls } from "./calls/session-texts";
import { sessionCalls } from "./calls/sessions";

export const calls = {
  ...accountCalls,
  ...activityCalls,
  ...slugCalls,
  ...hutCalls,
  ...itemCalls,
  ...itemPageCalls,
  ...goalCalls,
  ...logCalls,
  ...noteCalls,
  ...noticeCalls,
  ...myCalls,
  ...paymentCalls,
  ...sessionPageCalls,
  ...sessionCalls,
  ...sessionPartCalls,
  ...sessionTextCalls,
  ...sessionLogCalls,
  ...postCalls,
  ...pushCalls,
  ...safetyCalls,
  ...searchCalls,
  ...seriesCalls,
};
