// The menu of a post: edit, report and remove. Removing asks for confirmation, except before JavaScript has loaded.
import { useRef, useState } from "react";
import { ActionForm } from "~/components/form/action-form";
import { Icon } from "~/components/pictures/icon";
import { ReportMenuLink } from "~/components/safety/report-link";
import { Button } from "~/components/ui/button";
import { Dialog } from "~/components/ui/dialog";
import { DropdownMenu, MenuButton, MenuLink } from "~/components/ui/dropdown-menu";
import type { ShownPost } from "~/domain/sessions/view";
import { useActionForm } from "~/hooks/form/use-action-form";

export function PostMenu({ post, onEdit }: { post: ShownPost; onEdit: () => void }) {
  const [isConfirming, setConfirming] = useState(false);
  const isConfirmed = useRef(false);
  const remove = useActionForm({
    intent: "post.remove",
    hiddenFields: { post: post.id },
    handleHere: () => {
      if (!isConfirmed.current) setConfirming(true);
      return !isConfirmed.current;
    },
  });
  return (
    <>
      <DropdownMenu
        label={`More for the post of ${post.username}`}
        trigger={<Icon name="more" />}
        triggerClassName="grid size-11 cursor-pointer place-content-center rounded-md text-soft hover:bg-sunken"
      >
        {post.mayEdit && (
          <MenuLink
            to={`?edit=${post.id}`}
            preventScrollReset
            onClick={(event) => {
              event.preventDefault();
              event.currentTarget.closest("details")?.removeAttribute("open");
              onEdit();
            }}
          >
            <Icon name="edit" />
            Edit
          </MenuLink>
        )}
        {!post.isMine && (
          <ReportMenuLink target={{ kind: "post", id: String(post.id) }} author={post.username} />
        )}
        {post.mayRemove && (
          <ActionForm form={remove}>
            <MenuButton type="submit" isDanger>
              <Icon name="delete" />
              Remove
            </MenuButton>
          </ActionForm>
        )}
      </DropdownMenu>
      <Dialog
        isOpen={isConfirming}
        role="alertdialog"
        width="sm"
        title="Remove this post?"
        description="Its text is erased for good. Replies to it stay."
        onClose={() => setConfirming(false)}
        footer={
          <>
            <Button onClick={() => setConfirming(false)}>Cancel</Button>
            <Button
              variant="danger"
              isLoading={remove.isBusy}
              onClick={() => {
                setConfirming(false);
                isConfirmed.current = true;
                remove.element.current?.requestSubmit();
                isConfirmed.current = false;
              }}
            >
              Remove
            </Button>
          </>
        }
      />
    </>
  );
}
