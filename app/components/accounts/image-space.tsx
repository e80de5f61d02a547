// The bytes that the account's images take, and how to free them.
import { HOW_TO_FREE, MAX_UPLOAD_BYTES, MAX_UPLOAD_BYTES_A_DAY, megabytes } from "~/domain/items/images";

export const ImageSpace = ({ totalBytes, recentBytes }: { totalBytes: number; recentBytes: number }) => (
  <div className="flex flex-col gap-2">
    <p>
      Your images take {megabytes(totalBytes)} of {megabytes(MAX_UPLOAD_BYTES)}.
    </p>
    <p>
      In the last 24 hours you uploaded {megabytes(recentBytes)} of {megabytes(MAX_UPLOAD_BYTES_A_DAY)}.
    </p>
    <p className="text-soft">{HOW_TO_FREE}</p>
  </div>
);
