// The menu entry that blocks or unblocks a person.
import { ButtonForm } from "~/components/form/button-form";
import { Icon } from "~/components/pictures/icon";
import { MenuButton } from "~/components/ui/dropdown-menu";

export const BlockItem = ({ username, isBlocked = false }: { username: string; isBlocked?: boolean }) => (
  <ButtonForm fields={{ intent: isBlocked ? "unblock" : "block", username }} action="/account/blocks">
    {(isBusy) => (
      <MenuButton type="submit" disabled={isBusy}>
        <Icon name="close" />
        {isBlocked ? "Unblock" : "Block"} {username}
      </MenuButton>
    )}
  </ButtonForm>
);
