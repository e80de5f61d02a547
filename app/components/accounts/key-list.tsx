// The user's personal keys, each with a button that revokes it (O-08).
import { ActionForm } from "~/components/form/action-form";
import { Button } from "~/components/ui/button";
import { Time } from "~/components/ui/time";
import { type KeyScope, SCOPE_LABELS } from "~/domain/accounts/api-keys";
import { useActionForm } from "~/hooks/form/use-action-form";

type ListedKey = {
  id: string;
  name: string;
  start: string;
  scopes: readonly KeyScope[];
  expiresAt: number;
  lastUsedAt: number | null;
};

export const KeyList = ({ keys }: { keys: readonly ListedKey[] }) => (
  <ul aria-label="Keys" className="flex flex-col">
    {keys.map((key) => (
      <KeyRow key={key.id} personalKey={key} />
    ))}
  </ul>
);

function KeyRow({
  personalKey: { id, name, start, scopes, expiresAt, lastUsedAt },
}: {
  personalKey: ListedKey;
}) {
  const form = useActionForm({ intent: "key.revoke", hiddenFields: { key: id } });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line py-3">
      <div className="min-w-0">
        <p className="wrap-anywhere font-semibold">{name}</p>
        <p className="text-sm text-soft">
          <code>{start}…</code> · {scopes.map((scope) => SCOPE_LABELS[scope].label).join(", ")}
        </p>
        <p className="text-sm text-soft">
          {lastUsedAt === null ? (
            "Never used"
          ) : (
            <>
              Used <Time at={lastUsedAt} show="relative" />
            </>
          )}{" "}
          · until <Time at={expiresAt} look="date" />
        </p>
      </div>
      <ActionForm form={form}>
        <Button type="submit" isLoading={form.isBusy} aria-label={`Revoke ${name}`}>
          Revoke
        </Button>
      </ActionForm>
    </li>
  );
}
