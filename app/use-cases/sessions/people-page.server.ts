// The page People of a session, for host and admins: the join link, the waiting list, bans, and reliability.

import { findInvitationOfSession } from "#db/queries/huts/entry";
import { listBans } from "#db/queries/safety/sanctions";
import { countAttendanceOfSeats } from "#db/queries/sessions/attendance";
import type { SessionRow } from "#db/queries/sessions/sessions";
import * as sessions from "#db/queries/sessions/sessions";
import { findViewLink } from "#db/queries/sessions/view-links";
import { listWaiters } from "#db/queries/sessions/waiters";
import { allow, canModerateHut, requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import { reliabilityOf, reliableSince } from "~/domain/room/presence";
import { hiddenOf } from "~/domain/safety/blocks";
import { viewLinkOf } from "~/domain/sessions/stage";
import type { SessionPeopleView } from "~/domain/sessions/view";
import type { App } from "~/use-cases/app.server";
import { readInvitationLink } from "~/use-cases/invitation-links.server";
import { qrOf } from "~/use-cases/qr.server";
import { viewerOf } from "~/use-cases/viewer.server";
import { headOf, invitePathOf } from "./head.server";
import { mayHost, mayRun, noSession, seatOfRow, withRoom } from "./read.server";
import { mayBanFromSeries } from "./sanctions.server";

/** Maximum banned people that the page lists. */
const MAX_LISTED_BANS = 100;

/** FORBIDDEN unless for the host, admins and super admins. */
export async function viewSessionPeople(app: App, input: { session: number }): Promise<SessionPeopleView> {
  const user = requireUser(app.user);
  const { db } = app;
  const since = reliableSince(app.now);
  const [[[row], sessionBans, seriesBans, waiterRows, attendance, [invitation], [link]], view] =
    await withRoom(
      app,
      input.session,
      db.batch([
        sessions.findSession(db, input.session, viewerOf(app)),
        listBans(db, "session", input.session, app.now, MAX_LISTED_BANS),
        listBans(db, "series", sessions.seriesIdOf(input.session), app.now, MAX_LISTED_BANS),
        listWaiters(db, input.session),
        countAttendanceOfSeats(db, { sessionId: input.session, hostId: user.id, since }),
        findInvitationOfSession(db, input.session, user.id),
        findViewLink(db, { sessionId: input.session }),
      ]),
    );
  if (!row) throw noSession();
  allow(mayRun(app, row), refusals.hostAndAdminsOnly);
  const visibleSeriesBans = row.series && mayBanFromSeries(app, row.series) ? seriesBans : [];
  const fromSeries = new Set(visibleSeriesBans.map(({ username }) => username));
  // "Let back in" lifts both bans of a person, so that the wider one is shown.
  const visibleBans = [
    ...visibleSeriesBans,
    ...sessionBans.filter(({ username }) => !fromSeries.has(username)),
  ].map(({ username, reason, createdAt }) => ({
    username,
    reason,
    createdAt,
    isOfSeries: fromSeries.has(username),
  }));
  const { ids } = hiddenOf(row.hidden);
  // The name of a blocked person stays hidden.
  const waiters = waiterRows.map(({ userId, username, since, offeredUntil }, index) => ({
    username: ids.has(userId) ? `Person ${index + 1}` : username,
    since,
    offeredUntil,
  }));
  // A person under an alias gets no percentage, because it could reveal who it is.
  const reliability = attendance.flatMap(({ userId, username, counts }) => {
    const percent = ids.has(userId) ? null : reliabilityOf(counts);
    return percent === null ? [] : [{ username, percent }];
  });
  const joinLink = await joinLinkOf(app, row, invitation);
  return {
    ...(await headOf(app, row, view)),
    bans: mayHost(app, row) ? visibleBans : [],
    viewLink: viewLinkOf(row, seatOfRow(row)?.isHost === true, link),
    joinLink: { ...joinLink, qr: await qrOf(joinLink.url) },
    waiters,
    reliability,
    newUuid: crypto.randomUUID(),
  };
}

/** The join link. Its code is in the fragment, which reaches no server log, referrer or preview (G-36). */
async function joinLinkOf(
  app: App,
  row: SessionRow,
  invitation: Awaited<ReturnType<typeof findInvitationOfSession>>[number] | undefined,
) {
  const code = row.joinCode === "" ? "" : `#code=${encodeURIComponent(row.joinCode)}`;
  const url = `${app.settings.origin}${invitePathOf(row)}${code}`;
  if (!row.isPrivate) return { url, opensTo: "everybody" as const };
  const link =
    invitation && canModerateHut(app.user, invitation)
      ? await readInvitationLink(app, invitation, row.id)
      : null;
  return link ? { url: link, opensTo: "invited" as const } : { url, opensTo: "members" as const };
}
