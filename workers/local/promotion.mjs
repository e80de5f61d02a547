// The arguments and SQL statements of `npm run user:promote`, as pure functions.
const USAGE = "Usage: npm run user:promote -- you@example.com [--remote]";
const SUPER_ADMIN = 10;

/** Throws with a sentence when the arguments are wrong. */
export function readArguments(args) {
  const isRemote = args.includes("--remote");
  const rest = args.filter((argument) => argument !== "--remote");
  const [email = ""] = rest;
  if (rest.length !== 1 || email.startsWith("-")) throw new Error(USAGE);
  if (email.length > 254 || !/^[^\s@;"\\]+@[^\s@;"'\\]+\.[a-z]{2,63}$/i.test(email))
    throw new Error(`"${email}" is not an email address.\n${USAGE}`);
  return { email, isRemote };
}

/** The condition for the user with this email, whose quotes are doubled for SQL. */
const hasEmail = (email) => `lower(email) = lower('${email.replaceAll("'", "''")}')`;
export const promotionSql = (email) =>
  `UPDATE users SET role_id = ${SUPER_ADMIN} WHERE ${hasEmail(email)} RETURNING username, email`;
/** Inserts the audit row, which comes first. Nobody is signed in, so the actor is the promoted user. */
export const auditSql = (email) =>
  `INSERT INTO audit (at, actor_id, action, target_kind, target_id, user_id, reason, previous) SELECT unixepoch() * 1000, id, 'role-changed', 'site', '0', id, 'npm run user:promote', 'role ' || role_id FROM users WHERE ${hasEmail(email)} AND role_id <> ${SUPER_ADMIN}`;
