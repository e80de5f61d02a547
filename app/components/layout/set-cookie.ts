// Sets a cookie from a script.

export const isSecure = (): boolean => location.protocol === "https:";

/** `cookie` as a Set-Cookie header would have it. */
export const setCookie = (cookie: string): void => {
  // biome-ignore lint/suspicious/noDocumentCookie: Firefox before 140 and Safari before 18.4 have no Cookie Store.
  document.cookie = cookie;
};
