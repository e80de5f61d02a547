// The forms of reports, and the query of a report's page.
import { z } from "zod";
import { REASON_NAMES, REPORT_KINDS, REPORT_TEXT } from "~/domain/reports";

export const ReportTargetInput = z.object({ kind: z.enum(REPORT_KINDS), id: z.string().min(1).max(200) });
export const ReportInput = ReportTargetInput.extend({
  reason: z.enum(REASON_NAMES, "Please choose a reason."),
  text: z
    .string()
    .max(REPORT_TEXT, `Please use at most ${REPORT_TEXT.toLocaleString("en")} characters.`)
    .optional(),
});
