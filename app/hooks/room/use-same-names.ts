// The names of a roster as the same array for as long as they are the same, so that effects may depend on it.
import { useMemo } from "react";

export function useSameNames(names: readonly string[]): readonly string[] {
  const key = JSON.stringify(names);
  return useMemo(() => JSON.parse(key) as string[], [key]);
}
