// The arguments and SQL statements of `npm run import:book`, as pure functions.
import { titleWordsOf } from "../../app/domain/search-words.ts";

const USAGE =
  'Usage: npm run import:book -- file.txt [--title "The title"] [--by username] [--remote]\nWithout --by the book belongs to the first super admin.';

/** Throws with a sentence when the arguments are wrong. */
export function readArguments(args) {
  const options = { file: "", title: "", by: "", isRemote: false };
  const rest = [...args];
  while (rest.length > 0) {
    const argument = rest.shift();
    if (argument === "--remote") options.isRemote = true;
    else if (argument === "--title" || argument === "--by") {
      const value = rest.shift() ?? "";
      if (value.trim() === "" || value.startsWith("--"))
        throw new Error(`${argument} needs a value.\n${USAGE}`);
      options[argument.slice(2)] = value.trim();
    } else if (argument.startsWith("-") || options.file) throw new Error(USAGE);
    else options.file = argument;
  }
  if (!options.file) throw new Error(USAGE);
  if (options.title.length > 200) throw new Error("Please keep the title under 200 characters.");
  return options;
}

/** The text's first paragraph, if it is a short line that can be a title, otherwise the file's name. */
export function titleOf(text, fileName) {
  const [first = "", ...paragraphs] = text
    .replace(/^\uFEFF/, "")
    .trim()
    .split(/\r?\n\s*\r?\n/);
  const line = first.trim();
  if (paragraphs.length > 0 && line.length > 0 && line.length <= 120 && !/[\n.!?]/.test(line)) return line;
  const name = fileName
    .replace(/\.[^.]*$/, "")
    .replace(/[-_]+/g, " ")
    .trim();
  return name.slice(0, 200) || "A book";
}

const quoted = (text) => `'${text.replaceAll("\u0000", "").replaceAll("'", "''")}'`;

const ownerOf = (by) =>
  by
    ? `SELECT id FROM persons WHERE lower(username) = lower(${quoted(by)})`
    : "SELECT person_id FROM users WHERE role_id = 10 AND person_id IS NOT NULL ORDER BY id LIMIT 1";

/** Reads the owner's person id, and whether an item or a person has the slug already. */
export const checkSql = ({ slug, by }) =>
  `SELECT (${ownerOf(by)}) AS owner, EXISTS (SELECT 1 FROM items WHERE slug = ${quoted(slug)}) OR EXISTS (SELECT 1 FROM persons WHERE lower(username) = ${quoted(slug)}) AS taken`;

/** D1 limits the length of a statement. */
const SNIPPETS_PER_INSERT = 20;

/** The statements that insert the book and its numbered snippets. */
export function importSql({ title, slug, by, snippets, now }) {
  const statements = [
    `INSERT INTO items (person_id, parent_id, title, title_pairs, slug, content, content_html, summary, status, type, is_book, url, order_ms, created_at, updated_at) VALUES ((${ownerOf(by)}), 0, ${quoted(title)}, ${quoted(titleWordsOf(title).join(" "))}, ${quoted(slug)}, '', '', '', 1, 'book', 1, '', ${now}, ${now}, ${now});`,
  ];
  for (let start = 0; start < snippets.length; start += SNIPPETS_PER_INSERT) {
    const rows = snippets
      .slice(start, start + SNIPPETS_PER_INSERT)
      .map(
        (content, index) =>
          `((SELECT id FROM items WHERE slug = ${quoted(slug)} AND is_book = 1), ${start + index + 1}, ${quoted(content)})`,
      );
    statements.push(`INSERT INTO snippets (item_id, number, content) VALUES\n${rows.join(",\n")};`);
  }
  // The audit row. Nobody is signed in, so the actor is the owner of the book.
  statements.push(
    `INSERT INTO audit (at, actor_id, action, target_kind, target_id, reason) SELECT ${now}, p.user_id, 'book-imported', 'item', i.id, ${quoted(title)} FROM items i JOIN persons p ON p.id = i.person_id WHERE i.slug = ${quoted(slug)} AND i.is_book = 1;`,
  );
  return statements;
}
