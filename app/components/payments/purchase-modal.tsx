// The out-of-tokens modal: three forms by subscription (U-06 to U-08, R-10), and one for a host without tokens (M-15).
// Closing it retries the interrupted action; leaving it to pay resumes that action afterwards.
import { Link, useLocation } from "@remix-run/react";
import { Button } from "~/components/ui/button";
import { Dialog } from "~/components/ui/dialog";
import { closeModal, type Modal } from "~/hooks/modal-store";
import { leaveToPay } from "~/hooks/payments/resume-after-payment";
import { useShell } from "~/hooks/use-shell";

const FORMS = {
  goals_sub: {
    title: "You've outgrown your current subscription!",
    text: "Basic pays for goals, progress logs and notes. Plus pays for sessions, chat and forum as well.",
    button: "Level Up",
    to: "/pricing?expand=goals_sessions_sub",
  },
  goals_sessions_sub: {
    title: "You've run out of tokens D:",
    text: "Buy some more: tokens bought this way never expire.",
    button: "Level Up",
    to: "/tokens",
  },
  none: {
    title: "You're out of tokens",
    text: "Subscribe, or buy tokens as you go, and carry on where you were.",
    button: "Subscribe",
    to: "/pricing",
  },
} as const;

export function PurchaseModal({ modal }: { modal: Extract<Modal, { name: "purchase-tokens" }> }) {
  const { viewer } = useShell();
  const form = FORMS[viewer?.subscription ?? "none"];
  const { pathname, search, hash } = useLocation();
  const leave = () => leaveToPay(modal, `${pathname}${search}${hash}`);
  const close = () => {
    closeModal();
    modal.retry?.();
  };
  // The viewer's own tokens do not pay here, so nothing is offered for sale.
  if (modal.lacksTokens === "host")
    return (
      <Dialog title="The host is out of tokens" onClose={close} width="sm">
        <p>{modal.message}</p>
        <Button variant="primary" className="self-end" onClick={close}>
          Try again
        </Button>
      </Dialog>
    );
  return (
    <Dialog title={form.title} onClose={close} width="sm">
      {/* The sentence names the chat that holds a reserve (B-13). */}
      <p>{modal.lacksTokens === "reserve" ? modal.message : form.text}</p>
      <p className="text-sm text-soft">
        {modal.lacksTokens !== "reserve" && (
          <>
            You have <strong className="tabular">{viewer?.tokens ?? 0}</strong> tokens.{" "}
          </>
        )}
        Once you have more, we finish what you were doing. Bought some in another tab? Close this to try
        again.
      </p>
      <div className="flex flex-wrap justify-end gap-3">
        <Button asChild>
          <Link to="/tokens" onClick={leave}>
            Buy tokens
          </Link>
        </Button>
        <Button asChild variant="primary">
          <Link to={form.to} onClick={leave}>
            {form.button}
          </Link>
        </Button>
      </div>
    </Dialog>
  );
}
