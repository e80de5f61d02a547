// The toast of a log: what it added, and Undo, which takes the log back.
import { useCallback } from "react";
import { toast } from "~/hooks/toasts";
import { useCall } from "~/hooks/use-call";
import { deleteLog } from "~/wire/paths";

export function useUndo(): (log: number, sentence: string) => void {
  const { run } = useCall({ success: "Undone.", retries: true });
  return useCallback(
    (log, sentence) => {
      const onClick = () => void run(deleteLog, { params: { log } });
      toast.success(sentence, { action: { label: "Undo", onClick } });
    },
    [run],
  );
}
