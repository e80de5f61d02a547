// Pages that other services link to by a name (P-27, P-29, C-86).
import { callPath, type PathParams } from "./call-path";

const NAMED = {
  UpdateChallengeEvent: "/events/{event}/update",
  UpdateChallengeGroup: "/groups/{group}/update",
  "huts.store": "/groups/store",
} as const;
export const routeTo = (name: keyof typeof NAMED, params?: PathParams): string =>
  callPath(NAMED[name], params);
