// Contexts that only the server fills: the CSP nonce of the scripts of a page, and whether the page has any.
import { createContext, useContext } from "react";

/** Empty in the browser, which hides the nonce from scripts. */
export const NonceContext = createContext<string | undefined>(undefined);
export const useNonce = (): string | undefined => useContext(NonceContext);

/** A page of text or an error for a visitor loads no script. */
export const ScriptlessContext = createContext(false);
export const useIsScriptless = (): boolean => useContext(ScriptlessContext);
