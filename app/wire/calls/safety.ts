// Blocks and reports.
import { z } from "zod";
import { REPORT_KINDS, type ReportKind } from "~/domain/safety/report-targets";
import { MAX_REPORT_CHARS, REASON_NAMES, type StoredReport } from "~/domain/safety/reports";
import { manyLines, oneLine } from "~/domain/text-fields";
import { call, fields } from "../call";
import { reportOut } from "../safety/safety";

const usernameInput = fields({ params: { username: oneLine().min(1).max(100) } });

const KIND_BY_OUTSIDE_NAME: Record<string, ReportKind> = { group: "hut", challenge_event: "session" };
const kind = z.preprocess(
  (value) =>
    typeof value === "string" && Object.hasOwn(KIND_BY_OUTSIDE_NAME, value)
      ? KIND_BY_OUTSIDE_NAME[value]
      : value,
  z.enum(REPORT_KINDS, `Please send one of these kinds: ${REPORT_KINDS.join(", ")}.`),
);

export const safetyCalls = {
  blockPerson: call("PUT /api/blocks/{username}", "Block a person", {
    scope: "write",
    limits: ["block"],
    input: usernameInput,
    status: 204,
    answer: () => null,
  }),
  unblockPerson: call("DELETE /api/blocks/{username}", "Unblock a person", {
    scope: "write",
    limits: ["block"],
    input: usernameInput,
    status: 204,
    answer: () => null,
  }),
  createReport: call("POST /api/reports", "Report a person, a thing or a text", {
    scope: "none",
    limits: ["report"],
    input: fields({
      body: {
        kind,
        id: z.union([oneLine().min(1).max(200), z.number()], "Please give an id.").transform(String),
        reason: z.enum(REASON_NAMES, `Please send one of these reasons: ${REASON_NAMES.join(", ")}.`),
        text: manyLines()
          .max(MAX_REPORT_CHARS, `Please use at most ${MAX_REPORT_CHARS.toLocaleString("en")} characters.`)
          .nullish()
          .transform((text) => text ?? undefined),
      },
    }),
    status: 201,
    statusOf: ({ isNew }: StoredReport) => (isNew ? 201 : 200),
    bodyLimit: 16 * 1024,
    answer: (report: StoredReport) => ({ report: reportOut(report) }),
  }),
};
