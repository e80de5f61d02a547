// An invitation into a private hut: it shows the inviter, the hut, its people and its next session.
import { Link } from "@remix-run/react";
import { useRef } from "react";
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { ConfirmFirst } from "~/components/form/confirm-first";
import { Avatar } from "~/components/ui/avatar";
import { Button } from "~/components/ui/button";
import { Time } from "~/components/ui/time";
import type { InvitationScene as Scene } from "~/domain/huts/huts";
import { useActionForm } from "~/hooks/form/use-action-form";
import { useShell } from "~/hooks/use-shell";
import { HutPicture } from "./picture";

type Props = { scene: Scene; code: string; session: string };

export function InvitationScene({ scene, code, session }: Props) {
  const { title, summary, userCount, faces, by, next, isOfSession, path, picture } = scene;
  const { viewer } = useShell();
  const isUnconfirmed = viewer !== null && !viewer.isConfirmed;
  const isPressed = useRef(false);
  const enterForm = useActionForm({
    intent: "enter",
    redirects: true,
    // An act that resumes after the sign-in may be refused. The page then already shows that the address is unconfirmed.
    onRefused: () => isUnconfirmed && !isPressed.current,
  });
  const refusal = enterForm.result?.ok === false ? enterForm.result : null;
  // A missing sign-in or confirmation has its own notice, which disappears when the page's data changes.
  const hasOwnNotice = refusal?.asksToConfirm || refusal?.code === "UNAUTHENTICATED";
  return (
    <div className="flex flex-col items-center gap-5 rounded-lg bg-raised px-5 py-8 text-center shadow-card">
      <HutPicture seed={picture} className="size-28" />
      <div className="flex flex-col gap-1">
        <p className="text-soft">{by ? `${by} invites you to` : "You are invited to"}</p>
        <h2 className="wrap-anywhere text-2xl">{title}</h2>
        {summary && <p className="mx-auto line-clamp-3 max-w-[46ch] text-soft">{summary}</p>}
      </div>
      <div className="flex flex-wrap items-center justify-center gap-x-3 gap-y-2">
        {faces.length > 0 && (
          <ul aria-label="Some of the members" className="flex flex-wrap justify-center gap-1">
            {faces.map((name) => (
              <li key={name}>
                <Avatar name={name} size={40} label={name} />
              </li>
            ))}
          </ul>
        )}
        <span className="tabular text-soft">
          {userCount} {userCount === 1 ? "member" : "members"}
        </span>
      </div>
      {next && (
        <p className="wrap-anywhere">
          {isOfSession ? "" : "Next: "}
          <strong>{next.title}</strong>
          {next.startedAt !== null && (
            <>
              , <Time at={next.startedAt} look="full" />
            </>
          )}
          {isOfSession && <span className="block text-soft">This session is for members.</span>}
        </p>
      )}
      {path ? (
        <div className="flex flex-col items-center gap-2">
          <p className="text-soft">You are a member of this hut.</p>
          <Button asChild variant="primary">
            <Link to={isOfSession ? `/sessions/${session}` : path}>Open it</Link>
          </Button>
        </div>
      ) : (
        <>
          {isUnconfirmed && <ConfirmFirst email={viewer.email} />}
          <ActionForm form={enterForm} className="flex w-full max-w-xs flex-col items-stretch gap-3">
            <input type="hidden" name="code" value={code} />
            {/* A session that is over or deleted leads to the hut. */}
            {isOfSession && <input type="hidden" name="session" value={session} />}
            {!hasOwnNotice && <FormErrors form={enterForm} />}
            <Button
              type="submit"
              variant={isUnconfirmed ? "quiet" : "primary"}
              isLoading={enterForm.isBusy}
              onClick={() => {
                isPressed.current = viewer !== null;
              }}
            >
              Come in
            </Button>
          </ActionForm>
        </>
      )}
    </div>
  );
}
