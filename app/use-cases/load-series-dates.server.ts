// Loads the calendar library when a series is first read or written; the first answer of a process would wait for it
// (P4).
import { loadOnce } from "~/domain/load-once";

export const loadSeriesDates = loadOnce(() => import("./series-dates.server"));
