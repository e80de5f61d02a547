// The uploads of a text: placeholders, progress and failure messages (M-33).
import { useCallback, useEffect, useRef, useState } from "react";
import { writeImageSource } from "~/domain/rich-text";
import { toast } from "~/hooks/toasts";
import type { Surface } from "./milkdown.client";
import { uploadImage } from "./upload-image";
import { addPlaceholder, replacePlaceholder } from "./upload-placeholders.client";
import { COMPLETE_SHOWN_MS, UPLOAD_FAILED_TITLE, type UploadState } from "./upload-state";

export type UploadInProgress = { id: number; name: string; state: UploadState; abort: () => void };
let made = 0;

export function useUploads(surface: React.MutableRefObject<Surface | null>, about: string) {
  const [running, setRunning] = useState<UploadInProgress[]>([]);
  const aborts = useRef(new Set<() => void>());
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    const all = aborts.current;
    return () => {
      isGone.current = true;
      for (const abort of all) abort();
    };
  }, []);

  const drop = useCallback((id: number) => setRunning((list) => list.filter((one) => one.id !== id)), []);

  const add = useCallback(
    (files: File[], at: number) => {
      const { current } = surface;
      if (!current) return;
      for (const file of files) {
        const id = ++made;
        addPlaceholder(current.view, id, Math.min(at, current.view.state.doc.content.size), file.name);
        const onState = (state: UploadState) => {
          if (isGone.current) return;
          setRunning((list) => list.map((one) => (one.id === id ? { ...one, state } : one)));
          if (state.name === "error") toast.warning(state.sentence, { title: UPLOAD_FAILED_TITLE });
          if (state.name === "complete") setTimeout(drop, COMPLETE_SHOWN_MS, id);
          if (state.name === "error" || state.name === "aborted") drop(id);
        };
        const entry: UploadInProgress = {
          id,
          name: file.name,
          state: { name: "idle" },
          abort: () => upload.abort(),
        };
        setRunning((list) => [...list, entry]);
        const upload = uploadImage(file, about, onState);
        aborts.current.add(upload.abort);
        void upload.finished.then((image) => {
          aborts.current.delete(upload.abort);
          if (isGone.current || surface.current !== current) return;
          replacePlaceholder(
            current.view,
            id,
            image && {
              src: writeImageSource({
                src: image.url,
                size: { width: image.width, height: image.height },
                shown: 100,
              }),
              alt: file.name.replace(/\.\w+$/, "").replace(/[-_]+/g, " "),
            },
          );
        });
      }
    },
    [surface, about, drop],
  );
  return { running, add };
}
