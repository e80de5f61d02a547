// The visitor's act that the server has stored until the sign-in of this page.
import { useRouteLoaderData } from "@remix-run/react";

/** `token` is a hidden field of the sign-in's forms, by which the server recognises the act. */
type ActToResume = { token: string; intent: string };

export const useActToResume = (): ActToResume | null =>
  useRouteLoaderData<{ actToResume: ActToResume | null }>("root")?.actToResume ?? null;
