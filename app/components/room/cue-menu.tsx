// The menu of a timer's cues: sound, vibration and notifications. Its switches load after the page.
import { lazy, Suspense } from "react";
import { Icon } from "~/components/pictures/icon";
import { DropdownMenu } from "~/components/ui/dropdown-menu";
import { useHydrated } from "~/hooks/use-hydrated";

const CueSwitches = lazy(() => import("./cue-switches"));

/**
 * The server renders no switches. React would report an error if a message of the room rendered them during hydration,
 * before their code has loaded.
 */
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
