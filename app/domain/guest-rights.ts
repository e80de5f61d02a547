// The rights of guests (H-19), in one place: what is not in these tables is FORBIDDEN to a guest, a new call, page or form
// included. The messages of the socket have their table in wire/room/messages.ts.
import { AppError } from "./errors";
import { GUEST_REFUSED } from "./room/guest-names";

export const guestRefused = (): AppError => new AppError("FORBIDDEN", GUEST_REFUSED);

/** `guestOf`: the session of a guest; null for an account. */
type Asker = { guestOf: number | null } | null;
type Guest<U> = U & { guestOf: number };

export const isGuest = <U extends Asker>(user: U): user is Guest<NonNullable<U>> & U =>
  user !== null && user.guestOf !== null;

/** Each call needs the seat of the guest in their own session, or leads to an account. */
export const GUEST_CALLS: ReadonlySet<string> = new Set([
  "GET /api/sessions/{event}",
  "GET /api/sessions/{event}/goals",
  "GET /api/sessions/{event}/member-goals",
  "GET /api/sessions/{event}/logs",
  "GET /api/sessions/{event}/hut",
  "GET /api/sessions/{event}/chat",
  "POST /challenge-events/{event}/join",
  "POST /api/challenge-events/{event}/leave",
  "POST /challenge-events/{event}/complete",
  "POST /challenge-events/{event}/aim",
  "POST /challenges/{challenge}/user-is-ready",
  "POST /challenge-events/{event}/parts/{part}/pass",
  "PUT /challenges/{challenge}/contribute-content",
  "POST /messages",
  "PATCH /api/sessions/{event}/messages/{seq}",
  "DELETE /api/sessions/{event}/messages/{seq}",
  "POST /challenge-events/{event}/logs",
  "POST /challenges/{challenge}/logs",
  "POST /challenge-events/{event}/logs/tasks/{uuid}/start",
  "POST /challenge-events/logs/save-task-list-progress",
  "POST /api/logs/store-quick-log",
  "POST /api/challenge-logs/{log}/start",
  "POST /api/challenge-logs/{log}/stop",
  "POST /api/challenge-logs/{log}/complete",
  "POST /challenge-events/logs/{log}",
  "DELETE /api/challenge-logs/{log}",
  "POST /api/reports",
  "POST /register",
  "POST /login",
  "POST /login/two-step",
  "POST /login/passkey",
  "POST /login/passkey/options",
  "POST /logout",
]);

/** FORBIDDEN to a guest unless the call is for guests; before its body is read. */
export function admitToCall(user: Asker, { method, path }: { method: string; path: string }): void {
  if (isGuest(user) && !GUEST_CALLS.has(`${method} ${path}`)) throw guestRefused();
}

/** FORBIDDEN to a guest who names another session than their own. */
export function admitToSession(user: Asker, input: unknown): void {
  if (!isGuest(user) || typeof input !== "object" || input === null || !("session" in input)) return;
  if (input.session !== user.guestOf) throw guestRefused();
}

/** Pages of the guest's own session, of which the first group is the number. */
const OWN_PAGES = /^\/sessions\/(\d+)(?:\/(?:goals|member-goals|logs|hut|chat|recap|calendar\.ics|socket))?$/;
/** Pages that lead to an account or sign out, the theme, the site's texts, and files for machines. */
const OPEN_PAGES =
  /^\/(?:auth\/[\w-]+|login|register|account\/theme|about|terms-of-service|privacy-policy|robots\.txt|site\.webmanifest|__manifest)$/;
/** Stages and cards read no login, so that everybody sees what a visitor sees (J-10, J-11). */
const PUBLIC_PAGES = /^\/(?:(?:sessions|series)\/[^/]+\/stage|embed\/(?:sessions|series)\/[^/]+)$/;
/** The form of a report. */
const REPORT_PAGE = /^\/account\/report\/(\w+)\/([^/]+)$/;

/** True if a guest may see the page of this path, or send a form to it. The JSON twin of a page has `/api` in front. */
export function mayGuestVisit({ guestOf }: { guestOf: number }, pathname: string): boolean {
  const path = pathname.replace(/^\/api(?=\/)/, "").replace(/\.data$/, "");
  const ownPage = OWN_PAGES.exec(path);
  if (ownPage) return Number(ownPage[1]) === guestOf;
  if (PUBLIC_PAGES.test(path)) return true;
  const [, kind, id] = REPORT_PAGE.exec(path) ?? [];
  return kind && id ? mayGuestReport({ guestOf }, { kind, id: decodeId(id) }) : OPEN_PAGES.test(path);
}

/** A guest reports lines of the chat, answers and the session where they sit. */
export const mayGuestReport = (
  { guestOf }: { guestOf: number },
  { kind, id }: { kind: string; id: string },
): boolean =>
  kind === "session"
    ? id === String(guestOf)
    : ["message", "aim"].includes(kind) && id.startsWith(`${guestOf}:`);

function decodeId(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return "";
  }
}

/** The intents of the forms that a guest may send. */
const GUEST_INTENTS: ReadonlySet<string> = new Set([
  "join",
  "sit-in",
  "leave",
  "ready",
  "complete",
  "aim",
  "pass",
  "texts.contribute",
  "say",
  "line.edit",
  "line.remove",
  "task.log",
  "list.tick",
  ...["quick", "begin", "start", "pause", "stop", "done", "update", "span", "delete"].map(
    (act) => `log.${act}`,
  ),
  "report",
  "login",
  "two-step",
  "passkey",
  "other-tab",
  "register",
]);

export function admitToForm(user: Asker, intent: string): void {
  if (isGuest(user) && !GUEST_INTENTS.has(intent)) throw guestRefused();
}

/** The page that a guest's "home" leads to, which is their session's; everybody else's is the first page. */
export const homeOf = (guestOf: number | null = null): string =>
  guestOf === null ? "/" : `/sessions/${guestOf}`;
