// Names and attributes of cookies, shared by server and browser.

/** Over https the prefix binds a cookie to this host, so no other host of the domain can set it. */
export const cookieName = (isSecure: boolean, name: string): string => (isSecure ? `__Host-${name}` : name);

/** A cookie that scripts may read, valid for `maxAge` seconds. */
export const readableCookie = (isSecure: boolean, name: string, value: string, maxAge: number): string =>
  `${cookieName(isSecure, name)}=${value}; Path=/; Max-Age=${maxAge}; SameSite=Lax${isSecure ? "; Secure" : ""}`;

export const THEMES = ["light", "dark", "system"] as const;
export type Theme = (typeof THEMES)[number];

/** Any other text counts as `system`. */
export const themeOf = (text: string | undefined): Theme =>
  THEMES.find((theme) => theme === text) ?? "system";

const YEAR_SECONDS = 31_536_000;

export const themeCookie = (isSecure: boolean, text: string): string =>
  readableCookie(isSecure, "theme", themeOf(text), YEAR_SECONDS);
