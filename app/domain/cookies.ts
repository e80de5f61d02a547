// Names and attributes of cookies, shared by server and browser.

/** Over https the prefix binds a cookie to this host, so no other host of the domain can set it. */
export const cookieName = (secure: boolean, name: string): string => (secure ? `__Host-${name}` : name);

/** A cookie that scripts may read, valid for `maxAge` seconds. */
export const readableCookie = (secure: boolean, name: string, value: string, maxAge: number): string =>
  `${cookieName(secure, name)}=${value}; Path=/; Max-Age=${maxAge}; SameSite=Lax${secure ? "; Secure" : ""}`;

export const THEMES = ["light", "dark", "system"] as const;
export type Theme = (typeof THEMES)[number];

/** Any other text counts as `system`. */
export const themeOf = (text: string | undefined): Theme =>
  THEMES.find((theme) => theme === text) ?? "system";

const YEAR_SECONDS = 31_536_000;

export const themeCookie = (secure: boolean, text: string): string =>
  readableCookie(secure, "theme", themeOf(text), YEAR_SECONDS);
