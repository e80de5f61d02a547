// The menu entry that blocks or unblocks a person; a plain form without JavaScript.
import { PlainForm } from "~/components/form/plain-form";
import { Icon } from "~/components/pictures/icon";
import { MenuButton } from "~/components/ui/dropdown-menu";
import { blocked, unblocked } from "~/domain/blocks";
import { useCall } from "~/hooks/use-call";

export function BlockItem({ username, isBlocked = false }: { username: string; isBlocked?: boolean }) {
  const call = useCall({ success: isBlocked ? unblocked(username) : blocked(username) });
  return (
    <PlainForm
      fields={{ intent: isBlocked ? "unblock" : "block", username }}
      action="/account/blocks"
      onPress={() => void call.run(isBlocked ? "unblockPerson" : "blockPerson", { params: { username } })}
    >
      <MenuButton type="submit" disabled={call.isBusy}>
        <Icon name="close" />
        {isBlocked ? "Unblock" : "Block"} {username}
      </MenuButton>
    </PlainForm>
  );
}
