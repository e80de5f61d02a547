// People whom a ban keeps out of a session, series or hut, each with a button that lifts it.
import { ActionForm } from "~/components/form/action-form";
import { Button } from "~/components/ui/button";
import { Time } from "~/components/ui/time";
import type { Instant } from "~/domain/time";
import { useActionForm } from "~/hooks/form/use-action-form";

type Ban = { username: string; reason: string; createdAt: Instant; isOfSeries?: boolean };

export const BanList = ({ bans }: { bans: readonly Ban[] }) => (
  <ul aria-label="Kept out" className="flex flex-col">
    {bans.map((ban) => (
      <BanItem key={ban.username} {...ban} />
    ))}
  </ul>
);

function BanItem({ username, reason, createdAt, isOfSeries }: Ban) {
  const form = useActionForm({ intent: "let-in", hiddenFields: { username } });
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-b border-line py-3">
      <div className="min-w-0">
        <p className="break-all font-semibold">{username}</p>
        <p className="text-sm text-soft">
          {isOfSeries && "From the whole series, "}since <Time at={createdAt} look="auto" />
        </p>
        {reason && <p className="break-words">{reason}</p>}
      </div>
      <ActionForm form={form}>
        <Button type="submit" isLoading={form.isBusy} aria-label={`Let ${username} back in`}>
          Let back in
        </Button>
      </ActionForm>
    </li>
  );
}
