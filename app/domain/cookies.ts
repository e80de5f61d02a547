// Names and attributes of cookies, for the server and for the browser's code that writes some.

/** Over https the prefix binds a cookie to this host: no other host of the domain can set it. */
export const cookieName = (secure: boolean, name: string): string => (secure ? `__Host-${name}` : name);

/** A cookie that scripts may read; it lives for `maxAge` seconds. */
export const readableCookie = (secure: boolean, name: string, value: string, maxAge: number): string =>
  `${cookieName(secure, name)}=${value}; Path=/; Max-Age=${maxAge}; SameSite=Lax${secure ? "; Secure" : ""}`;
