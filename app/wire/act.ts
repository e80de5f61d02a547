// The answer of a page's action; forms show its errors under their fields.
import type { ErrorCode, Newer, TokenLack } from "~/domain/errors";

/** The answer of @conform-to/zod to a refused form: its values as typed, and the errors of its fields. */
type FormReply = {
  status?: "error" | "success";
  initialValue?: Record<string, unknown> | null;
  error?: Record<string, string[] | null>;
};

export type ActResult =
  | { intent: string; ok: true; result: unknown; toast: string | null }
  | {
      intent: string;
      ok: false;
      code: ErrorCode;
      message: string;
      sentences: string[];
      /** For INSUFFICIENT_TOKENS: the user who lacks them. */
      lacksTokens?: TokenLack | undefined;
      /** For FORBIDDEN: the user's address must be confirmed first. */
      asksToConfirm?: true | undefined;
      /** For CONFLICT with a newer save. */
      newer?: Newer | undefined;
      /** For UNAUTHENTICATED: the server has stored the act, which resumes after the sign-in. */
      isKept?: true | undefined;
      form: FormReply;
    };
export type RefusedAct = Extract<ActResult, { ok: false }>;
