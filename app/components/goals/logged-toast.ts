// The toast of a log: what it added, and Undo, which takes the log back.
import { toast } from "~/hooks/toasts";
import { deleteLog } from "~/wire/paths";

export const tellLogged = (log: number, sentence: string): string =>
  toast.success(sentence, { undo: { call: deleteLog, input: { params: { log } } } });
