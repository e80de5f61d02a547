// What all pages of a session share (P-31 to P-36): their frame, the live room, and the forms that stand on any of them.
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { Outlet, useActionData, useMatches } from "@remix-run/react";
import { SessionPage } from "~/components/sessions/session-page";
import type { SessionHead } from "~/domain/session-view";
import type { ActResult } from "~/wire/act";
import { sessionAction } from "./session-action.server";

export const action = (args: ActionFunctionArgs) => sessionAction(args);

/** Each tab brings the session along: this frame asks for nothing of its own. */
const headIn = (all: readonly unknown[]): SessionHead | undefined =>
  all.findLast(
    (data): data is SessionHead =>
      typeof data === "object" && data !== null && "session" in data && "participants" in data,
  );

export default function Session() {
  const head = headIn(useMatches().map((match) => match.data));
  const answered = useActionData<ActResult>();
  return head ? (
    <SessionPage head={head} answered={answered}>
      <Outlet context={answered} />
    </SessionPage>
  ) : (
    <Outlet />
  );
}
