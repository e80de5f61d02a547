// The forms of reports, of decisions on them and of appeals.
import { z } from "zod";
import { REPORT_KINDS } from "~/domain/safety/report-targets";
import { ACT_NAMES, MAX_REPORT_CHARS, REASON_NAMES } from "~/domain/safety/reports";
import { manyLines, oneLine } from "~/domain/text-fields";

export const ReportTargetInput = z.object({ kind: z.enum(REPORT_KINDS), id: oneLine().min(1).max(200) });
export const ReportInput = ReportTargetInput.extend({
  reason: z.enum(REASON_NAMES, "Please choose a reason."),
  text: manyLines()
    .max(MAX_REPORT_CHARS, `Please use at most ${MAX_REPORT_CHARS.toLocaleString("en")} characters.`)
    .optional(),
});
export const DecisionInput = ReportTargetInput.extend({
  act: z.enum(ACT_NAMES, "Please choose what to do."),
  reason: manyLines("Please give a reason."),
});
const linkPart = oneLine().max(200).catch("").default("");
/** The link of the email has a token, that of the notice the decision. */
export const AppealLink = z.object({ token: linkPart, decision: linkPart });
export const AppealInput = AppealLink.extend({
  text: manyLines("Please write why the decision should change."),
});
export const AppealAnswerInput = z.object({
  id: oneLine().max(100),
  isGranted: z.enum(["1", "0"], "Please choose an answer.").transform((value) => value === "1"),
  reason: manyLines("Please give a reason."),
});
