// A dialog that fills the screen and keeps it awake.
import { type ReactNode, useEffect, useRef } from "react";
import { useWakeLock } from "~/hooks/use-wake-lock";
import { CloseCross } from "./dialog";
import { notifyDialogChange } from "./dialog-change";

export type FullScreenProps = { label: string; onClose: () => void; children: ReactNode };

export function FullScreen({ label, onClose, children }: FullScreenProps) {
  const dialogRef = useRef<HTMLDialogElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useWakeLock(true);

  useEffect(() => {
    const dialog = dialogRef.current;
    if (!dialog) return;
    dialog.showModal();
    notifyDialogChange();
    // Some browsers refuse full screen or lack it; the dialog then fills the window.
    dialog.requestFullscreen?.().catch(() => {});
    const leave = () => {
      if (document.fullscreenElement === null) close.current();
    };
    document.addEventListener("fullscreenchange", leave);
    return () => {
      document.removeEventListener("fullscreenchange", leave);
      if (document.fullscreenElement === dialog) document.exitFullscreen().catch(() => {});
      dialog.close();
      notifyDialogChange();
    };
  }, []);

  return (
    <dialog
      ref={dialogRef}
      aria-label={label}
      className="full-screen"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      {children}
      <button
        type="button"
        aria-label="Leave full screen"
        onClick={onClose}
        className="absolute end-3 top-3 grid size-11 place-content-center rounded-md text-soft hover:bg-sunken hover:text-ink"
      >
        <CloseCross />
      </button>
    </dialog>
  );
}
