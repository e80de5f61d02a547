// The Undo of leaving a hut, for the toast.
import { useCall } from "~/hooks/use-call";
import { joinHut } from "~/wire/paths";

export function useRejoin(slug: string): () => void {
  const { run } = useCall({ success: "You have successfully joined this hut.", retries: true });
  return () => void run(joinHut, { params: { hut: slug } });
}
