// The nonce that this answer's scripts carry; empty in the browser, which never shows it to scripts.
import { createContext, useContext } from "react";

export const NonceContext = createContext<string | undefined>(undefined);
export const useNonce = (): string | undefined => useContext(NonceContext);
