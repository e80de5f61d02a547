// The uuid of the record that a form creates, so that a repeated submit creates only one record. The browser generates
// it.
import { useCallback, useEffect, useState } from "react";

/** The uuid, and a function that makes the next one after a success. */
export function useNewUuid(): [uuid: string | undefined, renew: () => void] {
  const [uuid, setUuid] = useState<string>();
  const renew = useCallback(() => setUuid(crypto.randomUUID()), []);
  useEffect(renew, [renew]);
  return [uuid, renew];
}
