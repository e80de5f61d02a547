// A list of a hut's people, with the owner's actions on each.
import { ActionForm, SubmitRow } from "~/components/form/action-form";
import { MuteForm } from "~/components/safety/mute-form";
import { Avatar } from "~/components/ui/avatar";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { ConfirmDialog } from "~/components/ui/confirm-dialog";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { TextLink } from "~/components/ui/text-link";
import { Time } from "~/components/ui/time";
import type { HutMember } from "~/domain/huts/huts";
import { HUT_ROLE } from "~/domain/roles";
import { REASON_LENGTH } from "~/domain/safety/sanctions";
import { useActionForm } from "~/hooks/form/use-action-form";

type Props = { label: string; members: readonly HutMember[]; canManage: boolean; isPrivate: boolean };

export function MemberList({ label, members, canManage, isPrivate }: Props) {
  return (
    <ul aria-label={label} className="flex flex-col">
      {members.map((member) => (
        <MemberRow key={member.username} member={member} canManage={canManage} isPrivate={isPrivate} />
      ))}
    </ul>
  );
}

function MemberRow({
  member,
  canManage,
  isPrivate,
}: Omit<Props, "label" | "members"> & { member: HutMember }) {
  const { username, role, joinedAt } = member;
  const form = useActionForm({
    intent: "role",
    hiddenFields: { username, role: role === HUT_ROLE.moderator ? HUT_ROLE.member : HUT_ROLE.moderator },
  });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line py-3">
      <div className="flex min-w-0 items-center gap-3">
        <Avatar name={username} size={36} />
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-2 font-semibold">
            <TextLink to={`/${username}`} className="break-all">
              {username}
            </TextLink>
            {role === HUT_ROLE.moderator && <Badge tone="pine">Moderator</Badge>}
          </p>
          <p className="text-sm text-soft">
            {joinedAt !== null && (
              <>
                Joined <Time at={joinedAt} look="date" />
              </>
            )}
          </p>
        </div>
      </div>
      <div className="flex flex-wrap items-start gap-2">
        <MuteForm person={{ username }} isMuted={undefined} endlessLabel="Until it is lifted" />
        <BanForm username={username} isPrivate={isPrivate} />
      </div>
      {canManage && (
        <div className="flex flex-wrap gap-2">
          <ActionForm form={form}>
            <Button
              type="submit"
              variant="quiet"
              isLoading={form.isBusy}
              aria-label={
                role === HUT_ROLE.moderator
                  ? `No longer a moderator: ${username}`
                  : `Make a moderator: ${username}`
              }
            >
              {role === HUT_ROLE.moderator ? "No longer a moderator" : "Make a moderator"}
            </Button>
          </ActionForm>
          <ConfirmDialog
            trigger={
              <Button variant="quiet" aria-label={`Hand over to ${username}`}>
                Hand over
              </Button>
            }
            title={`Hand over to ${username}?`}
            confirmLabel="Hand over"
            form={{ fields: { intent: "hand-over", username } }}
          >
            They become the owner of this hut. You stay a member.
          </ConfirmDialog>
        </div>
      )}
    </li>
  );
}

function BanForm({ username, isPrivate }: { username: string; isPrivate: boolean }) {
  const form = useActionForm({ intent: "ban", hiddenFields: { username } });
  return (
    <details open={form.isFailed} className="min-w-0">
      <summary className="flex min-h-11 cursor-pointer items-center font-semibold text-red">
        Keep out<span className="sr-only"> {username}</span>
      </summary>
      <ActionForm form={form} className="flex flex-col gap-3 py-2">
        <p className="text-sm text-soft">
          Ends the membership. They lose their seats in this hut&apos;s sessions, with a refund before the
          start, and can join, read or write nothing here that a visitor cannot.{" "}
          {isPrivate
            ? "Their series here end, and their sessions that have not begun are cancelled with refunds."
            : "Sessions and series that they host here leave the hut with them."}
        </p>
        <Field label="Reason, which they read" error={form.errorsOf("reason")}>
          <TextInput name="reason" maxLength={REASON_LENGTH} autoComplete="off" />
        </Field>
        <SubmitRow form={form} variant="danger">
          Keep {username} out
        </SubmitRow>
      </ActionForm>
    </details>
  );
}
