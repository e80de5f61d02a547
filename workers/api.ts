// Every JSON call and the use case that answers it: a file per noun in api/, put together here.

import { accountApi } from "./api/accounts";
import { activityApi } from "./api/activities";
import { slugApi } from "./api/by-slug";
import { goalApi } from "./api/goals";
import { hutApi } from "./api/huts";
import { itemApi, namedApi } from "./api/items";
import { logApi } from "./api/logs";
import { myApi } from "./api/my";
import { noteApi } from "./api/notes";
import { paymentApi } from "./api/payments";
import { postApi } from "./api/posts";
import { sessionApi } from "./api/sessions";
import type { Served } from "./serve";

export const api: Served[] = [
  ...accountApi,
  ...activityApi,
  ...slugApi,
  ...hutApi,
  ...itemApi,
  ...goalApi,
  ...logApi,
  ...noteApi,
  ...myApi,
  ...paymentApi,
  ...sessionApi,
  ...postApi,
  ...namedApi,
];
