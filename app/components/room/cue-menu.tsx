// The menu of cues. Its switches load after the page.
import { lazy, memo, Suspense } from "react";
import { Icon } from "~/components/pictures/icon";
import { DropdownMenu } from "~/components/ui/dropdown-menu";

const CueSwitches = lazy(() => import("./cue-switches"));

/** Memoised: a frame of the room that reached the boundary before its code has loaded would drop the server's HTML. */
export const CueMenu = memo(() => (
  <DropdownMenu
    label="Cues"
    align="start"
    trigger={
      <>
        <Icon name="settings" />
        Cues
      </>
    }
    triggerClassName="needs-script inline-flex min-h-11 cursor-pointer items-center gap-2 rounded-md px-3 font-semibold hover:bg-sunken"
  >
    <Suspense>
      <CueSwitches />
    </Suspense>
  </DropdownMenu>
));
