// The forms of reports, of decisions on them and of appeals.
import { z } from "zod";
import { REPORT_KINDS } from "~/domain/report-targets";
import { ACT_NAMES, REASON_NAMES, REPORT_TEXT } from "~/domain/reports";

export const ReportTargetInput = z.object({ kind: z.enum(REPORT_KINDS), id: z.string().min(1).max(200) });
export const ReportInput = ReportTargetInput.extend({
  reason: z.enum(REASON_NAMES, "Please choose a reason."),
  text: z
    .string()
    .max(REPORT_TEXT, `Please use at most ${REPORT_TEXT.toLocaleString("en")} characters.`)
    .optional(),
});
export const DecisionInput = ReportTargetInput.extend({
  act: z.enum(ACT_NAMES, "Please choose what to do."),
  reason: z.string("Please give a reason."),
});
export const AppealInput = z.object({
  token: z.string().max(200),
  text: z.string("Please write why the decision should change."),
});
export const AppealAnswerInput = z.object({
  id: z.string().max(100),
  isGranted: z.enum(["1", "0"], "Please choose an answer.").transform((value) => value === "1"),
  reason: z.string("Please give a reason."),
});
