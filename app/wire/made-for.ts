// A page's mark of the login and person that it was made for, in each of its writes.

/** The hidden field of a form. */
export const MADE_FOR_FIELD = "madeFor";
/** The header of a JSON call. */
export const MADE_FOR_HEADER = "X-Made-For";
/** The parameter of a socket's address. */
export const MADE_FOR_PARAM = "made_for";
