// Announces the free tokens once to new users on Home (U-58), with the way to the tour.
import { Link } from "@remix-run/react";
import { Button, buttonClass } from "~/components/ui/button";
import { Notice } from "~/components/ui/notice";
import { TextLink } from "~/components/ui/text-link";

export const WelcomeMessage = ({ close }: { close: () => void }) => (
  <div className="mx-auto w-full max-w-6xl px-4 pt-4 sm:px-6">
    <Notice
      tone="success"
      action={
        <span className="needs-script flex flex-wrap gap-2">
          <Link to="/?tour=welcome" preventScrollReset className={buttonClass("quiet")}>
            Take the tour
          </Link>
          <Button variant="ghost" onClick={close}>
            Close
          </Button>
        </span>
      }
    >
      Welcome! You have 10 free tokens to begin with, and they never expire.{" "}
      <TextLink to="/tokens#token-rates">What tokens are for</TextLink>
    </Notice>
  </div>
);
