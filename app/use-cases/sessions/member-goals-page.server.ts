// The page Member Goals of a session: its participants with their totals, a page at a time.

import * as goalCopies from "#db/queries/goals/copies";
import type { SeatKey } from "#db/queries/sessions/participants";
import * as participants from "#db/queries/sessions/participants";
import * as sessions from "#db/queries/sessions/sessions";
import { aliasAt } from "~/domain/room/aliases";
import { hiddenOf } from "~/domain/safety/blocks";
import { totalsOf } from "~/domain/sessions/totals";
import type { MemberGoalsView } from "~/domain/sessions/view";
import type { App } from "~/use-cases/app.server";
import { viewerOf } from "~/use-cases/viewer.server";
import { headOf, showParticipant, underAlias } from "./head.server";
import { mayRead, noSession, shownGoal, withRoom } from "./read.server";
import type { SessionPage } from "./views.server";

/** A page of the participants. Without the right to read, the lists are empty. */
export async function viewMemberGoals(app: App, input: SessionPage): Promise<MemberGoalsView> {
  const { db, settings } = app;
  const pageQuery = {
    page: input.page,
    perPage: settings.perPage,
    after: seatKeyOf(input.after, input.page),
  };
  const [[[row], goals, seats, totals], view] = await withRoom(
    app,
    input.session,
    db.batch([
      sessions.findSession(db, input.session, viewerOf(app)),
      goalCopies.listSessionGoals(db, input.session),
      participants.listSeatPage(db, input.session, pageQuery),
      participants.listTotals(
        db,
        input.session,
        participants.selectUsersOfSeatPage(input.session, pageQuery),
      ),
    ]),
  );
  if (!row) throw noSession();
  const isOpen = mayRead(app, row);
  const pageSeats = isOpen ? seats.slice(0, pageQuery.perPage) : [];
  const online = new Set(view?.online);
  const hiddenPeople = hiddenOf(row.hidden);
  const rosterIndexes = new Map(view?.state.participants.map(({ userId }, index) => [userId, index]));
  const first = (pageQuery.page - 1) * pageQuery.perPage;
  const last = pageSeats.at(-1);
  const hasNext = isOpen && seats.length > pageQuery.perPage;
  return {
    ...(await headOf(app, row, view)),
    goals: goals.map((goal) => shownGoal(app, row, goal)),
    members: pageSeats.map((seat, index) => {
      const live = view?.state.participants.find(({ userId }) => userId === seat.userId);
      const { role } = seat;
      const alias = hiddenPeople.ids.has(seat.userId)
        ? aliasAt(rosterIndexes.get(seat.userId) ?? first + index)
        : undefined;
      const person = showParticipant(
        { ...seat, role, isReady: live?.isReady ?? false },
        row,
        online.has(seat.username),
      );
      return {
        ...underAlias(person, alias, seat.handle),
        ...totalsOf(totals.filter(({ userId }) => userId === seat.userId)),
      };
    }),
    page: input.page,
    perPage: pageQuery.perPage,
    hasNext,
    after:
      hasNext && last
        ? `${input.page + 1}~${last.joinedAt}~${countSeatsAtLastInstant(last, pageSeats, pageQuery.after)}`
        : null,
  };
}

/** The key of a cursor `page~joinedAt~skip`, which is valid only on that page. */
function seatKeyOf(after: string | undefined, page: number): SeatKey | null {
  const [, cursorPage, joinedAt, skip] = /^(\d+)~(\d+)~(\d{1,9})$/.exec(after ?? "") ?? [];
  return Number(cursorPage) === page ? { joinedAt: Number(joinedAt), skip: Number(skip) } : null;
}

type Joined = { joinedAt: number };

/** Seats with the last seat's `joinedAt` that have been shown, this page included; the next page skips them. */
const countSeatsAtLastInstant = (
  last: Joined,
  pageSeats: readonly Joined[],
  pageKey: SeatKey | null,
): number =>
  pageSeats.filter(({ joinedAt }) => joinedAt === last.joinedAt).length +
  (pageKey?.joinedAt === last.joinedAt ? pageKey.skip : 0);
