// The layout of all pages of a session (P-31 to P-36): the frame, the live room, and the forms that any of them
// contains.
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { Outlet, useMatches } from "@remix-run/react";
import { SessionPage } from "~/components/sessions/page";
import type { SessionHead } from "~/domain/sessions/view";
import { usePosted } from "~/hooks/form/use-posted";
import { sessionAction } from "./action.server";

export const action = (args: ActionFunctionArgs) => sessionAction(args);

/** Each tab loads the session, so that this layout loads nothing. */
const headIn = (matchData: readonly unknown[]): SessionHead | undefined =>
  matchData.findLast(
    (data): data is SessionHead =>
      typeof data === "object" && data !== null && "session" in data && "participants" in data,
  );

export default function Session() {
  const head = headIn(useMatches().map((match) => match.data));
  const posted = usePosted();
  return head ? (
    <SessionPage head={head} posted={posted}>
      <Outlet context={posted} />
    </SessionPage>
  ) : (
    <Outlet />
  );
}
