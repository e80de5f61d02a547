// The CSP nonce of this answer's scripts; empty in the browser, which hides it from scripts.
import { createContext, useContext } from "react";

export const NonceContext = createContext<string | undefined>(undefined);
export const useNonce = (): string | undefined => useContext(NonceContext);
