// Q-42: export and deletion name every table with a user's id, or the table is a listed exception.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import * as schema from "#db/schema";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

const PAYMENTS = "A record of payment, which has to be kept; its user has no name any more.";
const RUNNING = "Kept for hours and deleted by itself; it holds nothing that the user wrote.";
/** Tables that the export leaves out, with reasons. */
const NOT_EXPORTED: Record<string, string> = {
  audit: "Acts of moderation; the sanctions of a user are exported.",
  calendar_feeds: "A hash of a secret, and the seats, which are exported.",
  chat_erasures: "Exists only after the account is gone.",
  confirmations: "Hashes of mailed links.",
  customers: "The payment provider's own ids.",
  events: "A cause without its reader, until the notices are written; those are exported.",
  devices: "Hashes of cookies; the list of logins is exported.",
  login_challenges: RUNNING,
  open_payments: RUNNING,
  password_resets: "Hashes of mailed links.",
  payment_methods: "The payment provider's own ids.",
  pool_entries: "The shared pool's ledger; the user's own lots and purchases are exported.",
  push_subscriptions: "Addresses and keys of browsers; the list of logins is exported.",
  recovery_codes: "Hashes of codes.",
  repeated_requests: RUNNING,
  session_totals: "Sums of the logs, which are exported.",
  subscriptions: "The payment provider's record; purchases are exported.",
  tag_counts: "Counts of the goals' tags, which are exported.",
};
/** Tables that the deletion leaves unchanged, with reasons. */
const NOT_DELETED: Record<string, string> = {
  audit: "Acts stay for 730 days; the account that they name has no name any more (Q-29).",
  chat_erasures: "The list of what the deletion still has to do.",
  events: "Kept until the notices of the cause are written, within minutes; other people wait for them.",
  open_payments: RUNNING,
  pool_entries: PAYMENTS,
  purchases: PAYMENTS,
  session_totals: "Numbers in everybody's totals, without a name or a word (decision 10).",
  tag_counts: "Triggers delete it with the tags.",
};

/** Whether a column holds the id of a user or person, by its foreign key or its name. */
const BY_NAME = /(^|_)(user|owner|actor|author|blocked|person|reporter)_id$|^paid_by$/;
const tables = Object.values(schema).filter((one) => is(one, SQLiteTable)) as unknown as SQLiteTable[];
const withUsers = tables.filter((table) => {
  const { columns, foreignKeys } = getTableConfig(table);
  const people = ["users", "persons"];
  return (
    columns.some(({ name }) => BY_NAME.test(name)) ||
    foreignKeys.some((key) => people.includes(getTableName(key.reference().foreignTable)))
  );
});
/** The files of statements that a file imports. */
const queriesOf = (file: string) =>
  [...read(file).matchAll(/from "(#db\/queries|\.)\/([\w/-]+)"/g)]
    .map(([, folder, name = ""]) => `${folder === "." ? dirname(file) : "db/queries"}/${name}.ts`)
    .filter((path) => path.startsWith("db/queries/") && existsSync(join(root, path)));
const namedIn = (sources: string[]) => {
  const text = sources.map(read).join("\n");
  return (table: SQLiteTable): boolean => {
    const name = Object.entries(schema).find(([, one]) => (one as unknown) === table)?.[0] ?? "";
    return new RegExp(`\\b${name}\\b(?!\\s*[,}]\\s*[^)]*=\\s*schema)`).test(
      text.replace(/const \{[^}]*\} =\s*schema;/g, ""),
    );
  };
};
const problems = (isNamed: (table: SQLiteTable) => boolean, exceptions: Record<string, string>) =>
  withUsers
    .filter((table) => !isNamed(table) && !(getTableName(table) in exceptions))
    .map(
      (table) =>
        `${getTableName(table)} (${Object.values(getTableColumns(table))
          .map(({ name }) => name)
          .join(", ")})`,
    );

test("Q-42 the export names every table with a user's id, or the table is a listed exception", () => {
  expect(withUsers.length).toBeGreaterThan(25);
  expect(problems(namedIn(queriesOf("app/use-cases/accounts/export-rows.server.ts")), NOT_EXPORTED)).toEqual(
    [],
  );
});

test("Q-42 the deletion names every table with a user's id, or the table is a listed exception", () => {
  const file = "db/queries/accounts/deletion.ts";
  const deletion = [file, ...queriesOf(file)];
  expect(problems(namedIn(deletion), NOT_DELETED)).toEqual([]);
});

test("Q-42 every exception is needed", () => {
  const names = new Set<string>(withUsers.map(getTableName));
  const listed = [...Object.keys(NOT_EXPORTED), ...Object.keys(NOT_DELETED)];
  expect(listed.filter((name) => !names.has(name))).toEqual([]);
});
