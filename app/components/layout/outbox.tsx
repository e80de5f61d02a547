// The entries that wait in this browser (W-05), each with its refusal and a button that deletes it.
import { Button } from "~/components/ui/button";
import { deleteEntries, tryAgain } from "~/hooks/outbox/outbox";
import type { Entry } from "~/hooks/outbox/sending";

type Props = { entries: readonly Entry[]; isOffline: boolean; send: () => Promise<void> };

const countText = (count: number) => (count === 1 ? "One entry waits" : `${count} entries wait`);

export function Outbox({ entries, isOffline, send }: Props) {
  const refused = entries.filter(({ refusal }) => refusal !== null).length;
  return (
    <section aria-label="Outbox" className="border-b border-line bg-raised px-4 text-sm text-ink">
      <details className="mx-auto max-w-3xl" open={refused > 0 || undefined}>
        <summary className="flex min-h-11 cursor-pointer items-center justify-center gap-2 font-semibold">
          {countText(entries.length)}
          {isOffline ? " for the connection" : refused > 0 ? `, ${refused} refused` : " to be sent"}
        </summary>
        <ul className="flex flex-col divide-y divide-line pb-2">
          {entries.map((entry) => (
            <li key={entry.id} className="flex flex-wrap items-center gap-x-4 py-1">
              <div className="min-w-0 flex-1 basis-48">
                <p className="wrap-anywhere">
                  <span className="font-semibold">{entry.words}</span>
                  {entry.about && ` · ${entry.about}`} · {entry.day}
                </p>
                {entry.refusal && <p className="text-red">{entry.refusal}</p>}
              </div>
              {entry.refusal && !isOffline && (
                <Button variant="ghost" onClick={() => void tryAgain(entry).then(send)}>
                  Try again
                </Button>
              )}
              <Button
                variant="ghost"
                aria-label={`Delete ${entry.words}`}
                onClick={() => void deleteEntries([entry])}
              >
                Delete
              </Button>
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}
