// The states of an image upload (S-21): idle, reading, uploading, complete, error, aborted. Pure.

export type UploadState =
  | { name: "idle" }
  | { name: "reading" }
  | { name: "uploading"; percent: number }
  | { name: "complete" }
  | { name: "error"; sentence: string }
  | { name: "aborted" };

export type UploadEvent =
  | { type: "read" }
  | { type: "send" }
  | { type: "progress"; loaded: number; total: number }
  | { type: "done" }
  | { type: "fail"; sentence?: string | undefined; fileName: string }
  | { type: "abort" };

/** U-59: how long the check mark of a complete upload is shown. */
export const COMPLETE_SHOWN_MS = 3000;
export const UPLOAD_FAILED_TITLE = "Upload failed";
/** The message for a failed upload to which the server gives no reason (M-33). */
export const uploadFailedSentence = (fileName: string): string => `Couldn't upload file: ${fileName}.`;

const isOver = (state: UploadState): boolean =>
  state.name === "complete" || state.name === "error" || state.name === "aborted";

/** A final state stays; other states only move forward. */
export function nextUploadState(state: UploadState, event: UploadEvent): UploadState {
  if (isOver(state)) return state;
  switch (event.type) {
    case "read":
      return state.name === "idle" ? { name: "reading" } : state;
    case "send":
      return state.name === "reading" ? { name: "uploading", percent: 0 } : state;
    case "progress": {
      if (state.name !== "uploading" || event.total <= 0) return state;
      const percent = Math.min(100, Math.floor((event.loaded / event.total) * 100));
      return { name: "uploading", percent: Math.max(state.percent, percent) };
    }
    case "done":
      return state.name === "uploading" ? { name: "complete" } : state;
    case "fail":
      return { name: "error", sentence: event.sentence || uploadFailedSentence(event.fileName) };
    case "abort":
      return { name: "aborted" };
  }
}
