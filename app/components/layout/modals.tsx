// The modals that the outlet opens, in one chunk.
import type { ComponentType } from "react";
import { AuthModalOnAction } from "~/components/accounts/auth-modal";
import { ConfirmModal } from "~/components/accounts/confirm-modal";
import { SecondClockModal } from "~/components/goals/second-clock-modal";
import { PurchaseModal } from "~/components/payments/purchase-modal";
import { SubscribeModal } from "~/components/payments/subscribe-modal";
import { ReportModal } from "~/components/safety/report-modal";
import { JoinCodeModal } from "~/components/sessions/join-code-modal";
import type { Modal } from "~/hooks/modal-store";

export { AuthModal } from "~/components/accounts/auth-modal";

/** The modals of this chunk; the palette has its own. */
export type DialogModal = Exclude<Modal, { name: "palette" }>;

type ModalComponents = {
  [Name in DialogModal["name"]]: ComponentType<{ modal: Extract<Modal, { name: Name }> }>;
};
const MODAL_COMPONENTS: ModalComponents = {
  auth: AuthModalOnAction,
  confirm: ConfirmModal,
  "join-code": JoinCodeModal,
  "purchase-tokens": PurchaseModal,
  report: ReportModal,
  "second-clock": SecondClockModal,
  subscribe: SubscribeModal,
};

export function OpenedModal({ modal }: { modal: DialogModal }) {
  const ModalComponent = MODAL_COMPONENTS[modal.name] as ComponentType<{ modal: DialogModal }>;
  return <ModalComponent modal={modal} />;
}
