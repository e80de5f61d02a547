// People as registration and the link of its mail leave them, by SQL: a journey about something else waits for neither.
import { createHash } from "node:crypto";

const LOGIN_LIFE = 30 * 24 * 3_600_000;
const WELCOME_TOKENS = 1000;

/** The checksum of a token, by which the database knows a login. */
export const hashOf = (token) => createHash("sha256").update(token).digest("hex");

/**
 * The statements of a registered person with a login, each with its values.
 * @param {{ username: string, token: string, now: number, passwordHash?: string, isConfirmed?: boolean }} person
 */
export function statementsOf({ username, token, now, passwordHash = "none", isConfirmed = true }) {
  const email = `${username}@example.com`;
  const user = "(SELECT id FROM users WHERE email = ?)";
  const insert = (table, columns) => {
    const values = Object.entries(columns);
    const names = values.map(([name]) => name);
    // The id of the user, which the first statement makes.
    const marks = values.map(([name]) => (name === "user_id" ? user : "?"));
    return {
      sql: `INSERT INTO ${table} (${names}) VALUES (${marks})`,
      values: values.map(([, value]) => value),
    };
  };
  return [
    insert("users", {
      email,
      email_confirmed_at: isConfirmed ? now : null,
      username,
      password_hash: passwordHash,
      locale: "en-GB",
      created_at: now,
      updated_at: now,
    }),
    insert("persons", { user_id: email, username, created_at: now }),
    {
      sql: "UPDATE users SET person_id = (SELECT id FROM persons WHERE username = ?) WHERE email = ?",
      values: [username, email],
    },
    {
      sql: `INSERT INTO token_lots (user_id, kind, granted, remaining, reference, created_at) SELECT id, 'welcome', ?, ?, 'welcome:' || id, ? FROM users WHERE email = ?`,
      values: [WELCOME_TOKENS, WELCOME_TOKENS, now, email],
    },
    insert("logins", {
      token_hash: hashOf(token),
      user_id: email,
      created_at: now,
      last_seen_at: now,
      checked_at: now,
      expires_at: now + LOGIN_LIFE,
    }),
  ];
}

/** Runs the statements on the file of a local server. */
export function addPerson(db, person) {
  for (const { sql, values } of statementsOf(person)) db.prepare(sql).run(...values);
}
