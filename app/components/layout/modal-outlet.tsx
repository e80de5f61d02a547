// Renders the open modal: by the URL (`?auth=login`) or by an action (hooks/modal-store.ts). Their chunk loads with the
// first of them; the server renders the one that the URL opens.
import { useLocation } from "@remix-run/react";
import { lazy, memo, Suspense } from "react";
import { ResumeAfterPayment } from "~/components/payments/resume-after-payment";
import { useActToResume } from "~/hooks/accounts/use-act-to-resume";
import { useActionToResume, useModal } from "~/hooks/modal-store";

const AuthModal = lazy(async () => ({ default: (await import("./modals")).AuthModal }));
const OpenedModal = lazy(async () => ({ default: (await import("./modals")).OpenedModal }));
const Palette = lazy(async () => ({ default: (await import("./palette")).Palette }));

// Memoised because a render of the frame would reach a modal that the server rendered before its chunk has hydrated it.
export const ModalOutlet = memo(() => (
  <>
    <AddressModal />
    <ActionModal />
    <ResumeAfterPurchase />
  </>
));

/** Resumes the action that waited for tokens, once they have arrived. */
const ResumeAfterPurchase = () => (useActionToResume() === null ? null : <ResumeAfterPayment />);

function ActionModal() {
  const modal = useModal();
  return (
    modal && (
      <Suspense>
        {modal.name === "palette" ? (
          <Palette modal={modal} />
        ) : (
          <OpenedModal key={modal.name} modal={modal} />
        )}
      </Suspense>
    )
  );
}

function AddressModal() {
  const location = useLocation();
  const query = new URLSearchParams(location.search);
  // The answer to an act that needs a sign-in opens the sign-in form, whatever its address (R-93).
  const asksForSignIn = useActToResume() !== null;
  if (!query.has("auth") && !asksForSignIn) return null;
  const rest = new URLSearchParams(query);
  rest.delete("auth");
  rest.delete("next");
  const search = rest.toString();
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
export function useModalPath(): (parameter: string, value: string, more?: Record<string, string>) => string {
  const location = useLocation();
  return (parameter, value, more = {}) => {
    const query = new URLSearchParams(location.search);
    query.set(parameter, value);
    for (const [name, text] of Object.entries(more)) query.set(name, text);
    return `${location.pathname}?${query}`;
  };
}
