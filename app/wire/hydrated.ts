// The event that tells the page's own script that React listens.
export const HYDRATED = "bothy:hydrated";
