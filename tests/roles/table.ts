// Reads the tables of the role matrix. A line declares the answers of a call, page or intent:
//
//   name | thing | theirs | own | missing
//
// `theirs` is the answer to everybody, then the exceptions: `FORBIDDEN, ok host super`. `ok` is a success, a capital word
// an error code with its status, `sign-in` the redirect to the sign-in dialog, `/…` a redirect. An empty `own` is `ok`, an
// empty `missing` NOT_FOUND, `-` no cell. The thing `-` has one cell per role. A name may have several lines. A guest is
// FORBIDDEN wherever no line says otherwise (H-19).
import { ROLES, type Role, TARGETS, type Target } from "./cast";

export type Row = {
  name: string;
  kind: string;
  /** null: no such cell. */
  expected(target: Target, role: Role): string | null;
  /** Whether the line names this role. */
  isNamed(target: Target, role: Role): boolean;
};

/** A guest owns nothing either (H-19). */
const OWNS_NOTHING: readonly Role[] = ["visitor", "guest"];

const isRole = (word: string): word is Role => (ROLES as readonly string[]).includes(word);

function readAnswers(text: string, line: string): Map<Role, string> {
  const [first = "", ...exceptions] = text.split(",").map((part) => part.trim());
  const answers = new Map<Role, string>(ROLES.map((role) => [role, first]));
  for (const exception of exceptions) {
    const [answer = "", ...roles] = exception.split(/\s+/);
    if (roles.length === 0) throw new Error(`no role after "${answer}": ${line}`);
    for (const role of roles) {
      if (!isRole(role)) throw new Error(`"${role}" is no role: ${line}`);
      answers.set(role, answer);
    }
  }
  return answers;
}

/** `visitor` is the visitor's answer on every line that does not name visitors. */
export function readTable(defaults: { visitor?: string; missing?: string }, text: string): Row[] {
  return text
    .split("\n")
    .map((line) => line.replace(/\s+#.*$/, "").trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [name = "", kind = "", theirs = "", own = "", missing = ""] = line
        .split("|")
        .map((cell) => cell.trim());
      if (theirs === "") throw new Error(`no answer: ${line}`);
      const answers = {
        theirs: readAnswers(theirs, line),
        own: readAnswers(own || "ok", line),
        missing: readAnswers(missing || defaults.missing || "NOT_FOUND", line),
      };
      return {
        name,
        kind,
        isNamed: (target, role) => ({ theirs, own, missing })[target].split(/[\s,]+/).includes(role),
        expected(target, role) {
          if (kind === "-" && target !== "theirs") return null;
          const text = { theirs, own, missing }[target];
          if (text === "-" || (target === "own" && OWNS_NOTHING.includes(role))) return null;
          if (role === "visitor" && defaults.visitor && !/\bvisitor\b/.test(text)) return defaults.visitor;
          // H-19: fails closed, so a line that does not name guests refuses them.
          if (role === "guest" && !/\bguest\b/.test(text)) return "FORBIDDEN";
          return answers[target].get(role) ?? null;
        },
      };
    });
}

/** An act that the matrix grants only to super admins. */
export const isForSuperAdminsAlone = (row: Row): boolean =>
  ROLES.every(
    (role) => ["ok", "INVALID"].includes(row.expected("theirs", role) ?? "") === (role === "super"),
  );

/** The number of cells of the rows that `counts` accepts. */
export const cellsOf = (
  rows: readonly Row[],
  counts: (row: Row, target: Target, role: Role) => boolean = () => true,
): number =>
  rows
    .flatMap((row) => TARGETS.flatMap((target) => ROLES.map((role) => ({ row, target, role }))))
    .filter(({ row, target, role }) => counts(row, target, role) && row.expected(target, role) !== null)
    .length;
