// Dialogs that something on a page calls for (hooks/modals.ts), each a chunk of its own. Register a new one here.
import { type ComponentType, lazy, Suspense } from "react";
import { type Modal, useModal } from "~/hooks/modals";

type Called = { [Name in Modal["name"]]?: ComponentType<{ modal: Extract<Modal, { name: Name }> }> };

const called: Called = {
  "purchase-tokens": lazy(async () => ({
    default: (await import("~/components/payments/purchase-modal")).PurchaseModal,
  })),
  subscribe: lazy(async () => ({
    default: (await import("~/components/payments/subscribe-modal")).SubscribeModal,
  })),
};

export function CalledModals() {
  const modal = useModal();
  if (!modal) return null;
  const Dialog = called[modal.name] as ComponentType<{ modal: Modal }> | undefined;
  return Dialog ? (
    <Suspense>
      <Dialog modal={modal} />
    </Suspense>
  ) : null;
}
