// The calls of blocks and what answers them.
import { blockPerson, unblockPerson } from "~/use-cases/blocks.server";
import { calls } from "~/wire/calls";
import { serve } from "../serve";

export const safetyApi = [serve(calls.blockPerson, blockPerson), serve(calls.unblockPerson, unblockPerson)];
