// Pages that other services link to by a name (P-27, P-29, C-86).
import { callPath, type PathParams } from "./call-path";

const PATHS_BY_NAME = {
  UpdateChallengeEvent: "/events/{event}/update",
  UpdateChallengeGroup: "/groups/{group}/update",
  "huts.store": "/groups/store",
} as const;
export const routeTo = (name: keyof typeof PATHS_BY_NAME, params?: PathParams): string =>
  callPath(PATHS_BY_NAME[name], params);
