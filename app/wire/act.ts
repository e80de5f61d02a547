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
