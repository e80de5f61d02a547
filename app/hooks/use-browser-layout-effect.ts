// useLayoutEffect in the browser, useEffect on the server, where React would warn.
import { useEffect, useLayoutEffect } from "react";

export const useBrowserLayoutEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;
