// Blocks.
import { z } from "zod";
import { call, fields } from "../call";

const named = fields({ params: { username: z.string().min(1).max(100) } });

export const safetyCalls = {
  blockPerson: call("blockPerson", { input: named, status: 204, answer: () => null }),
  unblockPerson: call("unblockPerson", { input: named, status: 204, answer: () => null }),
};
