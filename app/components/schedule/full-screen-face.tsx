// The full-screen timer face, which keeps the screen awake.
import { useEffect, useRef } from "react";
import { CloseCross } from "~/components/ui/dialog";
import { notifyDialogChange } from "~/components/ui/dialog-change";
import { ScheduleRibbon, type ScheduleRibbonProps } from "./ribbon";
import { TimerFace, type TimerFaceProps } from "./timer-face";

export type FullScreenFaceProps = { face: TimerFaceProps; ribbon?: ScheduleRibbonProps; onClose: () => void };

export function FullScreenFace({ face, ribbon, onClose }: FullScreenFaceProps) {
  const box = useRef<HTMLDialogElement>(null);
  const close = useRef(onClose);
  close.current = onClose;

  useEffect(() => {
    const dialog = box.current;
    if (!dialog) return;
    dialog.showModal();
    notifyDialogChange();
    // Some browsers refuse or lack it; the window is then large enough.
    dialog.requestFullscreen?.().catch(() => {});
    let lock: WakeLockSentinel | undefined;
    const stayAwake = () => {
      if (document.visibilityState !== "visible") return;
      navigator.wakeLock?.request("screen").then(
        (granted) => {
          lock = granted;
        },
        () => {},
      );
    };
    const leave = () => {
      if (document.fullscreenElement === null) close.current();
    };
    stayAwake();
    document.addEventListener("visibilitychange", stayAwake);
    document.addEventListener("fullscreenchange", leave);
    return () => {
      document.removeEventListener("visibilitychange", stayAwake);
      document.removeEventListener("fullscreenchange", leave);
      lock?.release().catch(() => {});
      if (document.fullscreenElement === dialog) document.exitFullscreen().catch(() => {});
      dialog.close();
      notifyDialogChange();
    };
  }, []);

  return (
    <dialog
      ref={box}
      aria-label={face.title}
      className="full-screen-face"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className="flex flex-1 flex-col items-center justify-center">
        <TimerFace {...face} className="is-full" />
      </div>
      {ribbon && <ScheduleRibbon {...ribbon} />}
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
