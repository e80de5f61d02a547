// The data of every page: the viewer, the site and the reader's locale.

import { homeOf, isGuest } from "~/domain/guest-rights";
import { balanceText, headerTokens } from "~/domain/payments/reserves";
import { isSuperAdmin } from "~/domain/permissions";
import { tokensOf } from "~/domain/tokens";
import type { Shell, Viewer } from "~/domain/viewer";
import { rememberTimeZone } from "~/use-cases/accounts/profile.server";
import { type App, type CurrentUser, readerOf } from "./app.server";
import { markOf } from "./made-for.server";

const showViewer = (user: CurrentUser): Viewer => ({
  id: user.id,
  username: user.username,
  firstName: user.firstName,
  lastName: user.lastName,
  email: user.email,
  isConfirmed: user.isConfirmed,
  roleId: user.roleId,
  isSuperAdmin: isSuperAdmin(user),
  tokens: tokensOf(user.tokens),
  headerTokens: headerTokens(user),
  balance: balanceText(user),
  subscription: user.subscription,
  unreadNotices: user.unreadNotices,
  isNew: user.isNew,
  newMessages: user.newMessages,
  runningLog: user.runningLog,
});

export async function viewShell(app: App): Promise<Shell> {
  if (app.user && app.user.timeZone !== app.timeZone) app.defer(rememberTimeZone(app, app.timeZone));
  return {
    appName: app.settings.appName,
    origin: app.settings.origin,
    perPage: app.settings.perPage,
    // A guest has no account to show (H-26).
    viewer: app.user && !isGuest(app.user) ? showViewer(app.user) : null,
    home: homeOf(app.user?.guestOf ?? app.refusedGuestOf),
    madeFor: markOf(app.user),
    pageUuid: app.user ? crypto.randomUUID() : undefined,
    theme: app.theme,
    timeZone: app.timeZone,
    ...readerOf(app),
    now: app.now,
    isPracticeProvider: app.payments.isPractice,
    isLocalRun: app.settings.isLocalRun,
  };
}
