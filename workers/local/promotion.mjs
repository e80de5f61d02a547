// What `npm run user:promote` was asked for, and the statement it runs. Pure.
const USAGE = "Usage: npm run user:promote -- you@example.com [--remote]";
const SUPER_ADMIN = 10;

/** What was asked for; throws with a sentence when it is not clear. */
export function readArguments(args) {
  const isRemote = args.includes("--remote");
  const rest = args.filter((argument) => argument !== "--remote");
  const [email = ""] = rest;
  if (rest.length !== 1 || email.startsWith("-")) throw new Error(USAGE);
  if (email.length > 254 || !/^[^\s@;"\\]+@[^\s@;"'\\]+\.[a-z]{2,63}$/i.test(email))
    throw new Error(`"${email}" is not an email address.\n${USAGE}`);
  return { email, isRemote };
}

/** The email stands in it as an SQL string, its quotes doubled: a mail address may have some. */
export const promotionSql = (email) =>
  `UPDATE users SET role_id = ${SUPER_ADMIN} WHERE lower(email) = lower('${email.replaceAll("'", "''")}') RETURNING username, email`;
