// Names and attributes of cookies, shared by server and browser.

/** Over https the prefix binds a cookie to this host, so no other host of the domain can set it. */
export const cookieName = (secure: boolean, name: string): string => (secure ? `__Host-${name}` : name);

/** A cookie that scripts may read, valid for `maxAge` seconds. */
export const readableCookie = (secure: boolean, name: string, value: string, maxAge: number): string =>
  `${cookieName(secure, name)}=${value}; Path=/; Max-Age=${maxAge}; SameSite=Lax${secure ? "; Secure" : ""}`;
