// The menu entry that blocks or unblocks a person.
import { ButtonForm } from "~/components/form/button-form";
import { Icon } from "~/components/pictures/icon";
import { MenuButton } from "~/components/ui/dropdown-menu";

type Props = {
  username: string;
  /** As people read it, if it is not the username. */
  name?: string;
  isBlocked?: boolean;
};

export const BlockItem = ({ username, name = username, isBlocked = false }: Props) => (
  <ButtonForm fields={{ intent: isBlocked ? "unblock" : "block", username }} action="/account/blocks">
    {(isBusy) => (
      <MenuButton type="submit" disabled={isBusy}>
        <Icon name="close" />
        {isBlocked ? "Unblock" : "Block"} {name}
      </MenuButton>
    )}
  </ButtonForm>
);
