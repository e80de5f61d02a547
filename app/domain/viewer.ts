// Who is looking at a page, as every page and component may know it (the root loader sends it once).

export type Viewer = {
  id: number;
  username: string;
  firstName: string;
  lastName: string;
  email: string;
  /** Until then every page asks for it. */
  isConfirmed: boolean;
  /** 10 is the super admin. */
  roleId: number;
  isSuperAdmin: boolean;
  /** Left over all unexpired lots, at most two decimals (B-11). */
  tokens: number;
  /** Product name of the running subscription, or null. */
  subscription: "goals_sub" | "goals_sessions_sub" | null;
  isNew: boolean;
  /** Message keys not read yet, e.g. `free_tokens`. */
  newMessages: string[];
};

export type Shell = {
  appName: string;
  /** Where the app is reached, e.g. `https://bothy.example`. */
  origin: string;
  perPage: number;
  viewer: Viewer | null;
  theme: "light" | "dark" | "system";
  /** IANA zone of the viewer's browser as last told by cookie; UTC until known. */
  timeZone: string;
  locale: string;
  /** Epoch milliseconds on the server when the page was made. */
  now: number;
  /** Practice payments are shown as such (B-20). */
  isPracticeProvider: boolean;
  isLocalRun: boolean;
};
