// The link that invites to a session. For host and admins it holds the join code (G-36). It loads after the page.
import { CopyButton } from "~/components/ui/copy-button";
import { TextLink } from "~/components/ui/text-link";
import { useShell } from "~/hooks/use-shell";
import type { InviteProps } from "./invite";

export default function InviteLink({ session, canRun }: InviteProps) {
  const { origin } = useShell();
  const code = session.joinCode === "" ? "" : `#code=${encodeURIComponent(session.joinCode)}`;
  const link = `${origin}${session.path}${code}`;
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
      {canRun && <TextLink to={`${session.path}/people#invite`}>Invite people by link or QR code</TextLink>}
    </div>
  );
}
