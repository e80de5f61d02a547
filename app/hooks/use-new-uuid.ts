// The uuid of a thing to be made by a form: sending the form twice makes one. Only the browser makes it up.
import { useEffect, useState } from "react";

export function useNewUuid(): string | undefined {
  const [uuid, setUuid] = useState<string>();
  useEffect(() => setUuid(crypto.randomUUID()), []);
  return uuid;
}
