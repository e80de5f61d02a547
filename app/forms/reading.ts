// The reader whose numbers a form is being read with. Forms are read at once, so no other request comes between.
import { ANY_READER, type Reader } from "~/domain/numbers";

let current: Reader = ANY_READER;

export const reader = (): Reader => current;

/** Reads a form in the notation of its reader. */
export function readAs<T>(readerOfForm: Reader, read: () => T): T {
  const previous = current;
  current = readerOfForm;
  try {
    return read();
  } finally {
    current = previous;
  }
}
