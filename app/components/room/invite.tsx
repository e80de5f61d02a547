// The menu of the link that invites to a session, one press from the roster. Without JavaScript the address bar has the
// link, and the page of the session's people has the one with the code.
import { lazy, Suspense } from "react";
import { Icon } from "~/components/pictures/icon";
import { DropdownMenu } from "~/components/ui/dropdown-menu";
import type { ShownSession } from "~/domain/sessions/view";
import { useHydrated } from "~/hooks/use-hydrated";

const InviteLink = lazy(() => import("./invite-link"));

export type InviteProps = {
  session: Pick<ShownSession, "path" | "joinCode" | "needsCode" | "isPrivate">;
  canRun: boolean;
};

export const Invite = (props: InviteProps) => (
  <DropdownMenu
    trigger={
      <>
        <Icon name="link" />
        Invite
      </>
    }
    triggerClassName="needs-script inline-flex min-h-11 cursor-pointer items-center gap-2 rounded-md border border-edge bg-raised px-4 font-semibold hover:bg-sunken"
  >
    {useHydrated() && (
      <Suspense>
        <InviteLink {...props} />
      </Suspense>
    )}
  </DropdownMenu>
);
