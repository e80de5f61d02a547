// The act that this answer of the server kept for the sign-in of its form.
import { useRouteLoaderData } from "@remix-run/react";

/** `value` goes through the forms of the sign-in. */
type ActToResume = { value: string; intent: string };

export const useActToResume = (): ActToResume | null =>
  useRouteLoaderData<{ actToResume: ActToResume | null }>("root")?.actToResume ?? null;
