// The bytes that the account's images take, and how to free them.
import { HOW_TO_FREE, megabytes, UPLOADS_A_DAY, UPLOADS_IN_ALL } from "~/domain/items/images";

export const ImageSpace = ({ all, recent }: { all: number; recent: number }) => (
  <div className="flex flex-col gap-2">
    <p>
      Your images take {megabytes(all)} of {megabytes(UPLOADS_IN_ALL)}.
    </p>
    <p>
      In the last 24 hours you uploaded {megabytes(recent)} of {megabytes(UPLOADS_A_DAY)}.
    </p>
    <p className="text-soft">{HOW_TO_FREE}</p>
  </div>
);
