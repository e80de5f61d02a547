// The uuid of a record that a form creates, so that a repeated submit creates one. Only the browser generates it.
import { useEffect, useState } from "react";

export function useNewUuid(): string | undefined {
  const [uuid, setUuid] = useState<string>();
  useEffect(() => setUuid(crypto.randomUUID()), []);
  return uuid;
}
