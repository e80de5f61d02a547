// The titles of error pages. Every page bundles them; the error page itself loads on demand.

const titles: Record<string, string> = {
  401: "Please sign in",
  403: "This door is closed",
  404: "There is nothing here",
  409: "That is not possible any more",
  413: "That is too large",
  415: "That could not be read",
  419: "That did not come from here",
  422: "That could not be read",
  429: "One moment",
  offline: "You are offline",
};

export const titleOfStatus = (kind: string | number): string => {
  const title = titles[kind];
  if (title) return title;
  return Number(kind) >= 400 && Number(kind) < 500 ? "There is nothing here" : "The light went out";
};
