// Loads the calendar library when a series is first read or written: 45 kB of the worker that most processes never need.
import { loadOnce } from "~/domain/load-once";

export const loadDates = loadOnce(() => import("./dates.server"));
