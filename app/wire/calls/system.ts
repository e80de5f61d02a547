// Calls about the service itself.
import { call, nothing } from "../call";

export const systemCalls = {
  /** what browsers measure their clock against. */
  readTime: call("readTime", { input: nothing, who: "anyone", answer: (result: { now: number }) => result }),
};
