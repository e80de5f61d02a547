// The session as each person who came leaves it: how long and with whom, on its page and in its mail.
import * as recaps from "#db/queries/sessions/recaps";
import * as sessions from "#db/queries/sessions/sessions";
import { shortened } from "~/domain/beginnings";
import { aliasAt } from "~/domain/room/aliases";
import { hiddenOf } from "~/domain/safety/blocks";
import { type Company, companyOf, loggedSpan, satText } from "~/domain/sessions/after";
import { isolated } from "~/domain/text-lines";
import type { App } from "~/use-cases/app.server";

type Row = Pick<sessions.SessionRow, "recap" | "hidden">;
type Names = Awaited<ReturnType<typeof recaps.listRecapNames>>;

/** The names of the people who came and still have a seat, as this reader sees them. */
function namesIn({ recap, hidden }: Row, names: Names): Map<number, string> {
  const seated = new Map(names.flatMap((one) => (one.hasSeat ? [[one.userId, one.username]] : [])));
  const hiddenIds = hiddenOf(hidden).ids;
  return new Map(
    (recap?.people ?? []).flatMap(({ userId, hasCome }, index) => {
      const name = seated.get(userId);
      if (name === undefined || !hasCome) return [];
      return [[userId, hiddenIds.has(userId) ? aliasAt(index) : name]];
    }),
  );
}

/** Null for a reader who did not come. */
export function companyIn(row: Row, names: Names, userId: number): Company | null {
  const mine = row.recap?.people.find((person) => person.userId === userId);
  if (!mine?.hasCome) return null;
  const others = [...namesIn(row, names)].flatMap(([id, name]) => (id === userId ? [] : [name]));
  return companyOf(mine.seconds, others);
}

/** Contributions in a mail, and the characters of each. */
const MOST_CONTRIBUTIONS = 5;
const MOST_CHARACTERS = 300;

/** The mail's texts; null for a reader who no longer sees the session. `next`: the sentence of the next date. */
export async function readAfter(
  app: Pick<App, "db">,
  { sessionId, userId, next }: { sessionId: number; userId: number; next: string | null },
): Promise<{ subject: string; text: string; more: string[] } | null> {
  const [[row], names] = await app.db.batch([
    sessions.findSession(app.db, sessionId, userId),
    recaps.listRecapNames(app.db, sessionId),
  ]);
  const company = row && companyIn(row, names, userId);
  if (!company) return null;
  const shown = namesIn(row, names);
  const title = isolated(row.title);
  const rows = row.contributions.flatMap(({ userId: author, content }) => {
    const name = author === null ? undefined : shown.get(author);
    return name === undefined ? [] : [`${name}: ${shortened(content, MOST_CHARACTERS)}`];
  });
  const minutes = loggedSpan(company.seconds) / 60;
  return {
    subject: `${minutes} min in ${title}`,
    text: `${satText(company)} in ${title}.`,
    more: [
      ...rows.slice(0, MOST_CONTRIBUTIONS),
      ...(next === null ? [] : [next]),
      `The page logs the ${minutes} min to a goal of yours in one press.`,
    ],
  };
}
