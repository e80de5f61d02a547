// Blocks and reports: each documented call and the use case that answers it.
import { blockPerson, unblockPerson } from "~/use-cases/safety/blocks.server";
import { fileReport } from "~/use-cases/safety/reports.server";
import { calls } from "~/wire/calls";
import { serve } from "../serve";

export const safetyApi = [
  serve(calls.blockPerson, blockPerson),
  serve(calls.unblockPerson, unblockPerson),
  serve(calls.createReport, fileReport),
];
