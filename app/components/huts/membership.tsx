// The button that joins or leaves a hut. Leaving a public hut takes nothing but the membership, so its toast has Undo.
import { ActionForm } from "~/components/form/action-form";
import { Button } from "~/components/ui/button";
import { MenuButton } from "~/components/ui/dropdown-menu";
import { useActionForm } from "~/hooks/form/use-action-form";
import { toast } from "~/hooks/toasts";
import { useRejoin } from "./use-rejoin";

type MembershipProps = {
  hut: {
    slug: string;
    title: string;
    path: string;
    isJoined: boolean;
    isPrivate: boolean;
    /** True for moderators: Undo would not bring their role back. */
    canModerate: boolean;
  };
  /** In a list the button names its hut for screen readers. */
  isInList?: boolean;
  /** An entry of a menu. */
  isInMenu?: boolean;
};

export function MembershipButton({ hut, isInList = false, isInMenu = false }: MembershipProps) {
  const { slug, path, isJoined, isPrivate, canModerate } = hut;
  const rejoin = useRejoin(slug);
  // Joining and leaving are idempotent, so both may be retried after signing in.
  const form = useActionForm({
    intent: isJoined ? "leave" : "join",
    action: path,
    redirects: isJoined && isPrivate,
    onSuccess: (_, sentence) => {
      const canUndo = isJoined && !isPrivate && !canModerate;
      if (sentence) toast.success(sentence, canUndo ? { action: { label: "Undo", onClick: rejoin } } : {});
    },
  });
  const label = isJoined ? "Leave" : "Join Hut";
  return (
    <ActionForm form={form}>
      {isInMenu ? (
        <MenuButton
          type="submit"
          isDanger
          aria-disabled={form.isBusy || undefined}
          aria-label={isInList ? `${label}: ${hut.title}` : undefined}
        >
          {label}
        </MenuButton>
      ) : (
        <Button
          type="submit"
          variant={isJoined || isInList ? "quiet" : "primary"}
          isLoading={form.isBusy}
          aria-label={isInList ? `${label}: ${hut.title}` : undefined}
        >
          {label}
        </Button>
      )}
    </ActionForm>
  );
}
