// Contexts that only the server fills: the CSP nonce of the scripts of a page, whether the page has any, and the refusal
// that the document answers with.
import { createContext, useContext } from "react";
import type { RefusedAct } from "~/wire/act";

/** Empty in the browser, which hides the nonce from scripts. */
export const NonceContext = createContext<string | undefined>(undefined);
export const useNonce = (): string | undefined => useContext(NonceContext);

/** A page of text or an error for a visitor loads no script. */
export const ScriptlessContext = createContext(false);
export const useIsScriptless = (): boolean => useContext(ScriptlessContext);

/** The refused form whose answer is this document. The annotation keeps the context out of the browser's build. */
export const RefusalContext = /* @__PURE__ */ createContext<RefusedAct | null>(null);
