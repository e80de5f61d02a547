// The menu of cues. Its switches load after the page.
import { lazy, Suspense } from "react";
import { Icon } from "~/components/pictures/icon";
import { DropdownMenu } from "~/components/ui/dropdown-menu";
import { useHydrated } from "~/hooks/use-hydrated";

const CueSwitches = lazy(() => import("./cue-switches"));

/** Without the switches on the server: a frame of the room that reached them before their code has loaded is an error. */
export const CueMenu = () => (
  <DropdownMenu
    label="Cues"
    align="start"
    trigger={
      <>
        <Icon name="settings" />
        Cues
      </>
    }
    triggerClassName="needs-script cue-fold"
  >
    {useHydrated() && (
      <Suspense>
        <CueSwitches />
      </Suspense>
    )}
  </DropdownMenu>
);
