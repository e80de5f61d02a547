// What a page's action answers; forms read it to show errors under their fields.
import type { SubmissionResult } from "@conform-to/react";
import type { ErrorCode, TokenLack } from "~/domain/errors";

export type ActResult =
  | { intent: string; ok: true; result: unknown; toast: string | null }
  | {
      intent: string;
      ok: false;
      code: ErrorCode;
      message: string;
      sentences: string[];
      /** Of INSUFFICIENT_TOKENS: whose. */
      lacksTokens?: TokenLack | undefined;
      form: SubmissionResult<string[]>;
    };

/** The fields of a refused form that are texts. A hostile name, such as `duration[0]`, makes a list of a field. */
export const typedTexts = (fields: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string] => typeof field[1] === "string"),
  );

/** The rows of a list of a refused form; undefined when the form sent no such list. */
export const typedRows = <Row>(rows: unknown): Row[] | undefined =>
  Array.isArray(rows) ? rows.filter((row) => typeof row === "object" && row !== null) : undefined;
