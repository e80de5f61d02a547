// Optimistic updates: patches over the server's value. An answered patch is dropped with the next server value, a
// refused one at once.
import { useCallback, useRef, useState } from "react";

type Patch<T> = { key: string; change: (value: T) => T; isAnswered: boolean };

export function useOptimistic<T>(server: T) {
  const [patches, setPatches] = useState<Patch<T>[]>([]);
  const lastServer = useRef(server);
  if (lastServer.current !== server) {
    lastServer.current = server;
    if (patches.some(({ isAnswered }) => isAnswered))
      setPatches((current) => current.filter(({ isAnswered }) => !isAnswered));
  }
  const apply = useCallback((key: string, change: (value: T) => T) => {
    setPatches((current) => [...current, { key, change, isAnswered: false }]);
  }, []);
  const confirmPatch = useCallback((key: string) => {
    setPatches((current) =>
      current.map((patch) => (patch.key === key ? { ...patch, isAnswered: true } : patch)),
    );
  }, []);
  const dropPatch = useCallback((key: string) => {
    setPatches((current) => current.filter((patch) => patch.key !== key));
  }, []);
  const value = patches.reduce((patched, { change }) => change(patched), server);
  return { value, apply, confirmPatch, dropPatch };
}
