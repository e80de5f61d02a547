// The invitation to the welcome tour on Home (P-01), for visitors and new users. It does not return once finished or
// dismissed, and resumes an unfinished tour.
import { Link } from "@remix-run/react";
import { useIsWelcome } from "~/components/layout/welcome-message";
import { Button, buttonClass } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { saveTour, useTourState } from "~/hooks/tour/state";
import { useShell } from "~/hooks/use-shell";

/** `hasBegun`: the viewer has used the product, so only a tour left half way is worth a card. */
export function TourInvitation({ hasBegun }: { hasBegun: boolean }) {
  const { viewer } = useShell();
  const isWelcome = useIsWelcome();
  const state = useTourState();
  const welcome = state?.name === "welcome" ? state : null;
  const isUnfinished = welcome !== null && !welcome.isDone && !welcome.isOpen && welcome.step > 0;
  if (isWelcome || welcome?.isDone || viewer?.isConfirmed === false) return null;
  if (!isUnfinished && (hasBegun || (viewer && !viewer.isNew))) return null;
  return (
    <Card as="section" className="needs-script flex flex-wrap items-center justify-between gap-3">
      <div className="flex flex-col gap-1">
        <h2 className="text-lg">{isUnfinished ? "Go on with the tour" : "New here?"}</h2>
        <p className="text-soft">
          {isUnfinished ? "You left it half way." : "The welcome tour shows you round in two minutes."}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Link to="/?tour=welcome" preventScrollReset className={buttonClass("quiet")}>
          {isUnfinished ? "Resume the tour" : "Take the tour"}
        </Link>
        <Button
          variant="ghost"
          onClick={() => saveTour({ name: "welcome", step: 0, isOpen: false, isDone: true })}
        >
          Not now
        </Button>
      </div>
    </Card>
  );
}
