// The list of uploads: progress, a stop button, and a check mark that disappears (S-21, U-59).
import { Icon } from "~/components/pictures/icon";
import { Button } from "~/components/ui/button";
import type { UploadInProgress } from "./use-uploads.client";

type Props = {
  uploads: readonly UploadInProgress[];
  /** Called when the stop button, which has the focus, is removed. */
  onStopped: () => void;
};

export function UploadList({ uploads, onStopped }: Props) {
  return (
    <ul className="flex flex-col gap-1" aria-label="Uploads" aria-live="polite" hidden={uploads.length === 0}>
      {uploads.map((upload) => (
        <li
          key={upload.id}
          data-upload={upload.state.name}
          className="flex min-h-11 items-center gap-3 text-sm"
        >
          <span className="min-w-0 flex-1 truncate">{upload.name}</span>
          {upload.state.name === "complete" ? (
            <span className="flex items-center gap-1 text-pine">
              <Icon name="check" /> Uploaded
            </span>
          ) : (
            <>
              <progress
                className="w-24"
                aria-label={`Upload of ${upload.name}`}
                max={100}
                {...(upload.state.name === "uploading" ? { value: upload.state.percent } : {})}
              />
              <Button
                variant="ghost"
                aria-label={`Stop the upload of ${upload.name}`}
                onClick={() => {
                  upload.abort();
                  onStopped();
                }}
              >
                Stop
              </Button>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
