// A list of a hut's people, with the owner's actions on each.
import { ActionForm } from "~/components/form/action-form";
import { Avatar } from "~/components/ui/avatar";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { ConfirmDialog } from "~/components/ui/confirm-dialog";
import { TextLink } from "~/components/ui/text-link";
import { Time } from "~/components/ui/time";
import type { HutMember } from "~/domain/huts";
import { useActionForm } from "~/hooks/use-action-form";

type Props = { label: string; members: readonly HutMember[]; canManage: boolean };

export function MemberList({ label, members, canManage }: Props) {
  return (
    <ul aria-label={label} className="flex flex-col">
      {members.map((member) => (
        <MemberRow key={member.username} member={member} canManage={canManage} />
      ))}
    </ul>
  );
}

function MemberRow({ member, canManage }: { member: HutMember; canManage: boolean }) {
  const { username, role, joinedAt } = member;
  const form = useActionForm({ intent: "role", about: { username, role: role === 1 ? 0 : 1 } });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line py-3">
      <div className="flex min-w-0 items-center gap-3">
        <Avatar name={username} size={36} />
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-2 font-semibold">
            <TextLink to={`/${username}`} className="break-all">
              {username}
            </TextLink>
            {role === 1 && <Badge tone="pine">Moderator</Badge>}
          </p>
          <p className="text-sm text-soft">
            Joined <Time at={joinedAt} look="date" />
          </p>
        </div>
      </div>
      {canManage && (
        <div className="flex flex-wrap gap-2">
          <ActionForm form={form}>
            <Button
              type="submit"
              variant="quiet"
              isLoading={form.isBusy}
              aria-label={role === 1 ? `No longer a moderator: ${username}` : `Make a moderator: ${username}`}
            >
              {role === 1 ? "No longer a moderator" : "Make a moderator"}
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
