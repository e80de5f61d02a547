// The toast of a log whose form led to this page by a redirect: its figures, and Undo.
import { useEffect } from "react";
import { useUndo } from "./use-undo";

export default function LoggedToast({ sentence, log }: { sentence: string; log: number }) {
  const tell = useUndo();
  useEffect(() => tell(log, sentence), [tell, log, sentence]);
  return null;
}
