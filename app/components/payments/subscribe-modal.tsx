// The subscribe form over the current page (P-10), with data from the same call as the page.

import { useFetcher } from "@remix-run/react";
import { useEffect } from "react";
import { Dialog } from "~/components/ui/dialog";
import { Skeleton } from "~/components/ui/skeleton";
import { PLANS } from "~/domain/payments/products";
import { closeModal, type Modal } from "~/hooks/modal-store";
import { type SubscribeData, SubscribeForm } from "./subscribe-form";

export function SubscribeModal({ modal }: { modal: Extract<Modal, { name: "subscribe" }> }) {
  const { data, load } = useFetcher<SubscribeData>();
  useEffect(() => load("/subscribe"), [load]);
  return (
    <Dialog title={`${PLANS[modal.product].title} plan`} onClose={closeModal}>
      {data ? (
        <SubscribeForm
          data={data}
          product={modal.product}
          onDone={() => {
            modal.onDone?.();
            closeModal();
          }}
        />
      ) : (
        <Skeleton className="h-64" />
      )}
    </Dialog>
  );
}
