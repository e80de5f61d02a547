// The rota of a series: its hosts in turn, each of whom must accept first (G-17).
import { runBatch } from "#db/connect.server";
import * as rota from "#db/queries/series/rota";
import * as seriesQueries from "#db/queries/series/series";
import { AppError } from "~/domain/errors";
import { subjectOf } from "~/domain/notices/events";
import { requireUser } from "~/domain/permissions";
import { isHandle } from "~/domain/room/aliases";
import { MAX_HOSTS } from "~/domain/series/form";
import * as seriesRefusals from "~/domain/series/refusals";
import type { SeriesView } from "~/domain/series/view";
import type { App } from "~/use-cases/app.server";
import { askPerson } from "~/use-cases/notices/asks.server";
import { newEvent, wakeEvents } from "~/use-cases/notices/events.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { requireGuestsAllowed } from "~/use-cases/sessions/guest-seats.server";
import { viewerOf } from "~/use-cases/viewer.server";
import { readOwnSeries, requireOpen, seriesNotFound } from "./series.server";
import { readView } from "./view.server";

type SeriesPersonRef = { series: number; username: string };
type RotaRow = Awaited<ReturnType<typeof rota.listRota>>[number];
const listRota = (app: App, series: number) => rota.listRota(app.db, series, requireUser(app.user).id);

/** Finds by name, or by the handle of a person whom a block hides. */
const findRotaHost = (rows: readonly RotaRow[], username: string) =>
  rows.find((row) =>
    isHandle(username)
      ? row.handle === username
      : row.username.toLowerCase() === username.trim().toLowerCase(),
  );

/**
 * Invites a person, or moves a host to `place`, counted from 0. By the series' host or a super admin; others get the
 * errors of `readOwnSeries`. Idempotent.
 */
export async function inviteOrMoveHost(
  app: App,
  input: SeriesPersonRef & { place?: number | undefined },
): Promise<SeriesView> {
  const row = await readOwnSeries(app, input.series);
  requireOpen(row);
  const rows = await listRota(app, row.id);
  if (!findRotaHost(rows, input.username)) await invite(app, row, input.username.trim(), rows.length);
  if (input.place !== undefined) await moveHost(app, row.id, input.username, input.place);
  return readView(app, row.id);
}

async function invite(
  app: App,
  row: seriesQueries.ShownSeriesRow,
  username: string,
  hostCount: number,
): Promise<void> {
  if (hostCount >= MAX_HOSTS) throw new AppError("CONFLICT", seriesRefusals.tooManyHosts(MAX_HOSTS));
  const invitation = await askPerson(
    app,
    {
      kind: "rota-invited",
      subject: subjectOf("series", row.id),
      body: { title: row.title, path: `/my/series/${row.id}`, name: row.ownerName },
    },
    async (rotaInvitation) => {
      const results = await runBatch(app.db, [
        rota.insertOwnersTurn(app.db, { seriesId: row.id, username, now: app.now }),
        rota.insertRotaHost(app.db, { seriesId: row.id, username, now: app.now }),
        rota.recordInvitation(app.db, rotaInvitation, { seriesId: row.id, username }),
        listRota(app, row.id),
      ]);
      if (!findRotaHost(results.at(-1) as RotaRow[], username))
        throw new AppError("NOT_FOUND", seriesRefusals.noSuchPerson);
      return rotaInvitation;
    },
  );
  wakeEvents(app, [invitation]);
}

async function moveHost(app: App, seriesId: number, username: string, place: number): Promise<void> {
  const rows = await listRota(app, seriesId);
  const movedHost = findRotaHost(rows, username);
  if (!movedHost) return;
  const order = rows.filter((row) => row !== movedHost);
  order.splice(Math.min(Math.max(0, place), order.length), 0, movedHost);
  const ids = order.map(({ userId }) => userId);
  await runBatch(app.db, [rota.orderRota(app.db, seriesId, ids)]);
}

/**
 * An invited person joins the rota, or a host of it answers again. `isFree`: whether the page said that joining is free.
 * False is a CONFLICT if joining has become free since, because the host then pays for everybody; undefined compares
 * nothing. `guestLimit`: seats for guests in the person's own sessions that are laid out from now on (H-17). Idempotent.
 */
export async function acceptTurn(
  app: App,
  input: { series: number; isFree?: boolean | undefined; guestLimit?: number | undefined },
): Promise<SeriesView> {
  const { id, template, isPrivate } = await requireTurn(app, input.series);
  const user = requireUser(app.user);
  const { guestLimit } = input;
  requireGuestsAllowed(user, { guestLimit, participantLimit: template.participantLimit, isPrivate });
  const knowsPrice = input.isFree !== false;
  const acceptance = {
    seriesId: id,
    userId: user.id,
    personId: user.personId,
    guestLimit,
    knowsPrice,
    now: app.now,
  };
  const [accepted] = await runBatch(app.db, [
    rota.acceptTurn(app.db, acceptance),
    ...(guestLimit === undefined ? [] : [rota.answerAsOwner(app.db, { ...acceptance, guestLimit })]),
  ]);
  if ((accepted as unknown[]).length === 0) throw new AppError("CONFLICT", seriesRefusals.joiningBecameFree);
  return readView(app, id);
}

/** The open series in which the user has a turn. NOT_FOUND without a turn. Counts a `change-series`. */
async function requireTurn(app: App, series: number): Promise<seriesQueries.ShownSeriesRow> {
  const user = requireUser(app.user);
  await countUse(app, "change-series", user.id);
  const [row] = await seriesQueries.findSeries(app.db, series, viewerOf(app));
  if (!row?.isOpen || row.turn === null) throw seriesNotFound();
  requireOpen(row);
  return row;
}

/**
 * Removes a host from the rota. Hosts may remove themselves; the series' host and super admins may remove anybody. The
 * host's existing sessions stay. Idempotent.
 */
export async function removeRotaHost(app: App, input: SeriesPersonRef): Promise<void> {
  const user = requireUser(app.user);
  const rows = await listRota(app, input.series);
  // Hosts who act as another person by now name that person when they leave.
  const isOwnName = input.username.trim().toLowerCase() === user.username.toLowerCase();
  const rotaHost =
    findRotaHost(rows, input.username) ?? rows.find(({ userId }) => isOwnName && userId === user.id);
  const isSelf = rotaHost?.userId === user.id;
  if (isSelf) await countUse(app, "change-series", user.id);
  else await readOwnSeries(app, input.series);
  if (rotaHost) await runBatch(app.db, [rota.deleteRotaHost(app.db, input.series, rotaHost.userId)]);
}

/** The event that invites the hosts of the rota again when joining becomes free. */
export const newRotaAskedAgainEvent = (app: App, { id, title }: { id: number; title: string }) =>
  newEvent(app, {
    kind: "rota-asked-again",
    subject: subjectOf("series", id),
    body: { title, path: `/my/series/${id}` },
  });
