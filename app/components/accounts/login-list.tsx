// Where one is signed in, and the way out of it.
import { useFetcher } from "@remix-run/react";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { Time } from "~/components/ui/time";
import type { ActResult } from "~/wire/act";
import { deviceText } from "./device-text";
import { useActToast } from "./use-act-form";

export type ListedLogin = {
  id: string;
  userAgent: string;
  place: string;
  createdAt: number;
  lastSeenAt: number;
  isThisOne: boolean;
};

export function LoginList({ logins }: { logins: readonly ListedLogin[] }) {
  const everywhere = useFetcher<ActResult>();
  useActToast(everywhere.data);
  return (
    <>
      <ul aria-label="Logins" className="flex flex-col">
        {logins.map((login) => (
          <LoginRow key={login.id} login={login} />
        ))}
      </ul>
      {logins.length > 1 && (
        <everywhere.Form method="post">
          <Button
            type="submit"
            name="intent"
            value="end-other-logins"
            isLoading={everywhere.state !== "idle"}
          >
            Sign out everywhere else
          </Button>
        </everywhere.Form>
      )}
    </>
  );
}

function LoginRow({ login }: { login: ListedLogin }) {
  const fetcher = useFetcher<ActResult>();
  useActToast(fetcher.data);
  const device = deviceText(login.userAgent);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line py-3">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          {device}
          {login.isThisOne && <Badge tone="pine">This browser</Badge>}
        </p>
        <p className="text-sm text-soft">
          {login.place && `${login.place} · `}Signed in <Time at={login.createdAt} look="date" /> · seen{" "}
          <Time at={login.lastSeenAt} show="relative" />
        </p>
      </div>
      {!login.isThisOne && (
        <fetcher.Form method="post">
          <input type="hidden" name="login" value={login.id} />
          <Button
            type="submit"
            name="intent"
            value="end-login"
            isLoading={fetcher.state !== "idle"}
            aria-label={`Sign out ${device}`}
          >
            Sign out
          </Button>
        </fetcher.Form>
      )}
    </li>
  );
}
