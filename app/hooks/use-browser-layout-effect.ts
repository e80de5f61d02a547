// An effect before the browser draws; on the server, where nothing is drawn, React only warns of one.
import { useEffect, useLayoutEffect } from "react";

export const useBrowserLayoutEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;
