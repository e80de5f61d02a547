// The menu of a running or paused log: Stop, whose time counts without the amount, and Discard.
import { lazy, Suspense, useRef, useState } from "react";
import { ActionForm } from "~/components/form/action-form";
import { PlainForm } from "~/components/form/plain-form";
import { Icon } from "~/components/pictures/icon";
import { DropdownMenu, MenuButton } from "~/components/ui/dropdown-menu";
import { isRunning } from "~/domain/goals/log-state";
import type { LogMove, LogShown } from "~/domain/goals/logs";
import { useActionForm } from "~/hooks/form/use-action-form";

const DiscardDialog = lazy(() => import("./discard-dialog"));

type Props = { log: LogShown; onMove: (move: LogMove) => void };

export function LogMenu({ log, onMove }: Props) {
  const [isDialogOpen, setDialogOpen] = useState(false);
  const isConfirmed = useRef(false);
  const discardForm = useActionForm({
    intent: "log.delete",
    hiddenFields: { log: log.id },
    handleHere: () => {
      if (!isConfirmed.current) setDialogOpen(true);
      return !isConfirmed.current;
    },
  });
  return (
    <>
      <DropdownMenu
        label={`More for ${log.title || log.goal?.title || "this log"}`}
        trigger={<Icon name="more" />}
        triggerClassName="grid size-11 cursor-pointer place-content-center rounded-md text-soft hover:bg-sunken"
      >
        {isRunning(log) && (
          <PlainForm fields={{ intent: "log.stop", log: log.id }} onPress={() => onMove("stop")}>
            <MenuButton type="submit">
              <Icon name="stop" />
              Stop (time only)
            </MenuButton>
          </PlainForm>
        )}
        <ActionForm form={discardForm}>
          <MenuButton type="submit" isDanger>
            <Icon name="delete" />
            Discard
          </MenuButton>
        </ActionForm>
      </DropdownMenu>
      {isDialogOpen && (
        <Suspense>
          <DiscardDialog
            isBusy={discardForm.isBusy}
            onClose={() => setDialogOpen(false)}
            onConfirm={() => {
              setDialogOpen(false);
              isConfirmed.current = true;
              discardForm.element.current?.requestSubmit();
              isConfirmed.current = false;
            }}
          />
        </Suspense>
      )}
    </>
  );
}
