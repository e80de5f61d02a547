// Out of tokens: three forms by subscription (U-06 to U-08, R-10). After it closes, what was interrupted is retried.
import { Link } from "@remix-run/react";
import { Button } from "~/components/ui/button";
import { Dialog } from "~/components/ui/dialog";
import { closeModal, type Modal } from "~/hooks/modals";
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
  const close = () => {
    closeModal();
    modal.retry?.();
  };
  return (
    <Dialog title={form.title} onClose={close} width="sm">
      <p>{isHostsLack(modal.message) ? modal.message : form.text}</p>
      <p className="text-sm text-soft">
        You have <strong className="tabular">{viewer?.tokens ?? 0}</strong> tokens. Closing this tries again
        what you were doing, for example after you bought tokens in another tab.
      </p>
      <div className="flex flex-wrap justify-end gap-3">
        <Button asChild>
          <Link to="/tokens" onClick={closeModal}>
            Buy tokens
          </Link>
        </Button>
        <Button asChild variant="primary">
          <Link to={form.to} onClick={closeModal}>
            {form.button}
          </Link>
        </Button>
      </div>
    </Dialog>
  );
}

/** Free joining is paid by the host; then the sentence says whose tokens are gone (M-15). */
const isHostsLack = (message: string | undefined): boolean =>
  message?.toLowerCase().includes("host") ?? false;
