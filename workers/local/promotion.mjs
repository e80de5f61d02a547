// The arguments and the statement of `npm run user:promote`. Pure.
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

/** The email as an SQL string with doubled quotes: an email may contain quotes. */
export const promotionSql = (email) =>
  `UPDATE users SET role_id = ${SUPER_ADMIN} WHERE lower(email) = lower('${email.replaceAll("'", "''")}') RETURNING username, email`;
