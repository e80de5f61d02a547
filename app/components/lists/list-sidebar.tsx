// The sidebar of lists: an explanation, and links (U-33, U-34).
import { Link } from "@remix-run/react";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { TextLink } from "~/components/ui/text-link";
import { TOUR_ANCHORS } from "~/domain/tour-anchors";
import { useShell } from "~/hooks/use-shell";

export function ListSidebar() {
  const { appName } = useShell();
  return (
    <>
      <Card as="section" className="flex flex-col gap-3">
        <h2 className="text-lg">Do it together</h2>
        <p className="text-soft">
          A session is a timed run of an activity: the same clock for everybody, a roster, a chat. Join one,
          or begin your own.
        </p>
        <div className="grid gap-3 sm:max-lg:grid-cols-2">
          <Button asChild>
            <Link to="/challenges/events/create">Create a Session</Link>
          </Button>
          <Button asChild>
            <Link to="/challenges/create" data-tour={TOUR_ANCHORS.createActivity}>
              Create an Activity
            </Link>
          </Button>
        </div>
      </Card>
      <p className="flex flex-wrap gap-x-4 gap-y-2">
        <TextLink to="/huts">Find a hut</TextLink>
        <TextLink to="/groups?joined=1">My huts</TextLink>
        <TextLink to="/challenges/templates">Templates</TextLink>
        <TextLink to="/about">What is {appName}?</TextLink>
      </p>
    </>
  );
}
