// The comparison of join codes. Pure.

/** Two codes are equal without regard to case and white space. */
const foldCode = (code: string): string => code.replace(/\s+/gu, "").toLowerCase();

/** True for the right code; a session without a code accepts any. */
export const isRightCode = (session: { joinCode: string }, typedCode: string | undefined): boolean =>
  session.joinCode === "" || foldCode(session.joinCode) === foldCode(typedCode ?? "");

/** How a new code differs for people who gave the old one. A change of case or white space is none. */
export function codeChange(previousCode: string, nextCode: string | undefined): "none" | "cleared" | "new" {
  if (nextCode === undefined || foldCode(previousCode) === foldCode(nextCode)) return "none";
  return foldCode(nextCode) === "" ? "cleared" : "new";
}
