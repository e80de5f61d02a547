// The document as the server alone knows it: the CSP nonce of its scripts, and whether it has any.
import { createContext, useContext } from "react";

/** Empty in the browser, which hides the nonce from scripts. */
export const NonceContext = createContext<string | undefined>(undefined);
export const useNonce = (): string | undefined => useContext(NonceContext);

/** A page of text for a visitor loads no script (decision 60). */
export const ScriptlessContext = createContext(false);
export const useIsScriptless = (): boolean => useContext(ScriptlessContext);
