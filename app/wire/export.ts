// The export format: outside words, JSON complete, CSV one line per record. Amounts are decimals, instants ISO 8601 in
// UTC, planned spans seconds, measured spans milliseconds, distances miles.
export const EXPORT_KINDS = [
  "account",
  "goals",
  "days",
  "logs",
  "notes",
  "items",
  "paraphrases",
  "posts",
  "contributions",
  "activities",
  "sessions",
  "series",
  "standing-seats",
  "turns",
  "groups",
  "favorites",
  "uploads",
  "tokens",
  "token-entries",
  "purchases",
  "subscriptions",
  "logins",
  "blocks",
  "sanctions",
  "reports",
  "decisions",
  "passkeys",
  "api-keys",
  "follows",
  "requests",
  "messages",
  "notices",
  "notification-settings",
  "deliveries",
] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

/** The file that contains every kind. */
export const EVERYTHING = "everything.json";
/** The tables that the account page offers; the other kinds have files too. */
export const TABLES: readonly { kind: ExportKind; label: string }[] = [
  { kind: "goals", label: "Goals" },
  { kind: "logs", label: "Logs" },
  { kind: "days", label: "Totals per day" },
  { kind: "notes", label: "Notes" },
  { kind: "items", label: "Items" },
  { kind: "posts", label: "Posts" },
  { kind: "contributions", label: "Contributions" },
  { kind: "messages", label: "Chat messages" },
  { kind: "sessions", label: "Sessions" },
  { kind: "token-entries", label: "Tokens spent" },
];

/** The start of every file's address. */
export const EXPORT_PATHS = "/account/export/";
export const exportPath = (file: string): string => EXPORT_PATHS + file;

export type ExportRecord = Record<string, unknown>;

/** `goals.csv` → goals; null for an unknown file. */
export function kindOfFile(file: string): ExportKind | "everything" | null {
  if (file === EVERYTHING) return "everything";
  return EXPORT_KINDS.find((kind) => file === `${kind}.csv`) ?? null;
}

/** RFC 4180. An apostrophe precedes text that a spreadsheet would run as a formula, as OWASP advises. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(",")}\r\n`;
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The byte order mark, which marks the file as UTF-8. */
export const CSV_START = "\uFEFF";
