// The bounds of a session's length, for its form and its schedule.
import { seconds } from "~/domain/time";

/** A session lasts from 5 minutes to 30 days. In seconds. */
export const SESSION_SECONDS = { min: seconds(300), max: seconds(2_592_000) } as const;
export const SESSION_LENGTH = "A session lasts from 5 minutes to 30 days.";
