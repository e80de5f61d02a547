// The uploads of a text: placeholders, progress and failure messages (M-33).
import { useCallback, useEffect, useRef, useState } from "react";
import { writeImageSource } from "~/domain/rich-text";
import { toast } from "~/hooks/toasts";
import type { Surface } from "./milkdown.client";
import { uploadImage } from "./upload-image";
import { addPlaceholder, replacePlaceholder } from "./upload-placeholders.client";
import { COMPLETE_SHOWN_MS, UPLOAD_FAILED_TITLE, type UploadState } from "./upload-state";

export type UploadInProgress = { id: number; name: string; state: UploadState; abort: () => void };
let lastId = 0;

export function useUploads(surface: React.MutableRefObject<Surface | null>, imageOwner: string) {
  const [uploads, setUploads] = useState<UploadInProgress[]>([]);
  const aborts = useRef(new Set<() => void>());
  const isUnmounted = useRef(false);
  useEffect(() => {
    isUnmounted.current = false;
    const pending = aborts.current;
    return () => {
      isUnmounted.current = true;
      for (const abort of pending) abort();
    };
  }, []);

  const removeUpload = useCallback(
    (id: number) => setUploads((list) => list.filter((upload) => upload.id !== id)),
    [],
  );

  const addFiles = useCallback(
    (files: File[], position: number) => {
      const { current } = surface;
      if (!current) return;
      for (const file of files) {
        const id = ++lastId;
        addPlaceholder(current.view, id, Math.min(position, current.view.state.doc.content.size), file.name);
        const onState = (state: UploadState) => {
          if (isUnmounted.current) return;
          setUploads((list) => list.map((upload) => (upload.id === id ? { ...upload, state } : upload)));
          if (state.name === "error") toast.warning(state.sentence, { title: UPLOAD_FAILED_TITLE });
          if (state.name === "complete") setTimeout(removeUpload, COMPLETE_SHOWN_MS, id);
          if (state.name === "error" || state.name === "aborted") removeUpload(id);
        };
        const entry: UploadInProgress = {
          id,
          name: file.name,
          state: { name: "idle" },
          abort: () => upload.abort(),
        };
        setUploads((list) => [...list, entry]);
        const upload = uploadImage(file, imageOwner, onState);
        aborts.current.add(upload.abort);
        void upload.finished.then((image) => {
          aborts.current.delete(upload.abort);
          if (isUnmounted.current || surface.current !== current) return;
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
    [surface, imageOwner, removeUpload],
  );
  return { uploads, addFiles };
}
