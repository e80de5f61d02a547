// The menu of the link that invites to a session, one press from the roster. Without JavaScript the address bar has the
// link, and the page of the session's people has the one with the code.
import { Icon } from "~/components/pictures/icon";
import { buttonClass } from "~/components/ui/button";
import { CopyButton } from "~/components/ui/copy-button";
import { DropdownMenu } from "~/components/ui/dropdown-menu";
import { TextLink } from "~/components/ui/text-link";
import type { SessionMe, ShownSession } from "~/domain/sessions/view";
import { useShell } from "~/hooks/use-shell";

type InviteProps = {
  session: Pick<ShownSession, "path" | "joinCode" | "needsCode" | "isPrivate">;
  me: Pick<SessionMe, "invitePath" | "canRun">;
};

export const Invite = (props: InviteProps) => (
  <DropdownMenu
    trigger={
      <>
        <Icon name="link" />
        Invite
      </>
    }
    triggerClassName={buttonClass("quiet", "md", "needs-script cursor-pointer")}
  >
    <InviteLink {...props} />
  </DropdownMenu>
);

/** For host and admins the link holds the join code (G-36). */
function InviteLink({ session, me }: InviteProps) {
  const { origin } = useShell();
  const code = session.joinCode === "" ? "" : `#code=${encodeURIComponent(session.joinCode)}`;
  const link = `${origin}${me.invitePath}${code}`;
  return (
    <div className="flex w-72 max-w-full flex-col gap-3 p-3 text-start">
      <p className="text-sm">
        {session.isPrivate
          ? "Members of the hut can join by this link."
          : code
            ? "This link holds the code, so everybody with the link can join."
            : session.needsCode
              ? "Everybody with this link and the code can join."
              : "Everybody with this link can join."}
      </p>
      <code className="wrap-anywhere rounded-md bg-sunken px-2 py-1 text-sm">{link}</code>
      <CopyButton text={link} label="Copy link" variant="primary" />
      {me.canRun && (
        <TextLink to={`${session.path}/people#invite`}>Invite people by link or QR code</TextLink>
      )}
    </div>
  );
}
