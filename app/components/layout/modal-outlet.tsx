// Renders the open modal, which the URL (`?auth=login`) or an action (hooks/modal-store.ts) opens. The modals share a lazy
// chunk; the server renders the modal of the URL.
import { useLocation } from "@remix-run/react";
import { lazy, memo, Suspense } from "react";
import { ResumeAfterPayment } from "~/components/payments/resume-after-payment";
import { useActToResume } from "~/hooks/accounts/use-act-to-resume";
import { useModal } from "~/hooks/modal-store";
import { usePaidAction } from "~/hooks/payments/resume-after-payment";

const AuthModal = lazy(async () => ({ default: (await import("./modals")).AuthModal }));
const ModalOfAction = lazy(async () => ({ default: (await import("./modals")).OpenedModal }));
const Palette = lazy(async () => ({ default: (await import("./palette")).Palette }));

// Memoised, so that a render of the frame does not reach a server-rendered modal whose chunk has not loaded yet.
export const ModalOutlet = memo(() => (
  <>
    <UrlModal />
    <ActionModal />
    <ResumeAfterPurchase />
  </>
));

/** Resumes the action that waited for tokens, once they have arrived. */
const ResumeAfterPurchase = () => (usePaidAction() === null ? null : <ResumeAfterPayment />);

function ActionModal() {
  const modal = useModal();
  return (
    modal && (
      <Suspense>
        {modal.name === "palette" ? (
          <Palette modal={modal} />
        ) : (
          <ModalOfAction key={modal.name} modal={modal} />
        )}
      </Suspense>
    )
  );
}

function UrlModal() {
  const location = useLocation();
  const query = new URLSearchParams(location.search);
  // The answer to an act that needs a sign-in opens the sign-in form, whatever its address (R-93).
  const asksForSignIn = useActToResume() !== null;
  if (!query.has("auth") && !asksForSignIn) return null;
  const queryWithoutModal = new URLSearchParams(query);
  queryWithoutModal.delete("auth");
  queryWithoutModal.delete("next");
  const search = queryWithoutModal.toString();
  return (
    <Suspense>
      <AuthModal
        query={query}
        closeTo={`${location.pathname}${search ? `?${search}` : ""}${location.hash}`}
      />
    </Suspense>
  );
}

/** The URL that opens a modal over the current page. */
export function useModalPath(): (
  parameter: string,
  value: string,
  extraParams?: Record<string, string>,
) => string {
  const location = useLocation();
  return (parameter, value, extraParams = {}) => {
    const query = new URLSearchParams(location.search);
    query.set(parameter, value);
    for (const [name, text] of Object.entries(extraParams)) query.set(name, text);
    return `${location.pathname}?${query}`;
  };
}
