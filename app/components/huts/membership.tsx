// The button that joins or leaves a hut. Leaving a public hut takes nothing but the membership, so its toast has Undo.
import { ActionForm } from "~/components/form/action-form";
import { Button } from "~/components/ui/button";
import { toast } from "~/hooks/toasts";
import { useActionForm } from "~/hooks/use-action-form";
import { useCall } from "~/hooks/use-call";
import * as paths from "~/wire/paths";

type MembershipProps = {
  hut: {
    slug: string;
    title: string;
    path: string;
    isJoined: boolean;
    isPrivate: boolean;
    /** The role would not come back with the membership. */
    canModerate: boolean;
  };
  /** In a list: the button names its hut for screen readers. */
  isInList?: boolean;
};

export function Membership({ hut, isInList = false }: MembershipProps) {
  const { slug, path, isJoined, isPrivate, canModerate } = hut;
  const { run } = useCall({ success: "You have successfully joined this hut.", retries: true });
  // Joining and leaving are idempotent, so both may be retried after signing in.
  const form = useActionForm({
    intent: isJoined ? "leave" : "join",
    action: path,
    leaves: isJoined && isPrivate,
    onSuccess: (_, sentence) => {
      const canUndo = isJoined && !isPrivate && !canModerate;
      const undo = canUndo
        ? { action: { label: "Undo", onClick: () => void run(paths.joinHut, { params: { hut: slug } }) } }
        : {};
      if (sentence) toast.success(sentence, undo);
    },
  });
  const label = isJoined ? "Leave" : "Join Hut";
  return (
    <ActionForm form={form}>
      <Button
        type="submit"
        variant={isJoined || isInList ? "quiet" : "primary"}
        isLoading={form.isBusy}
        aria-label={isInList ? `${label}: ${hut.title}` : undefined}
      >
        {label}
      </Button>
    </ActionForm>
  );
}
