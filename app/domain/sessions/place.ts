// The hut, category and privacy of a new session or series, by its own fields and those of its activity (P-26, R-87).
// Pure.

/** A missing field is inherited; null means none. */
type Asked = {
  hutId?: number | null | undefined;
  category?: string | null | undefined;
  isPrivate?: boolean | undefined;
};
type Source = { hutId: number | null; category: string | null; isPrivate: boolean };
type Activity = Pick<Source, "hutId" | "isPrivate">;
export type Place = Source;

const inherited = <T>(own: T | null | undefined, source: T | null | undefined): T | null =>
  own === undefined ? (source ?? null) : own;

/**
 * In a hut `isPrivate` is false, because triggers copy the hut's privacy. `hiddenActivity`: a private activity that the
 * user may not read, which gives nothing but its privacy.
 */
export function placeOf(
  asked: Asked,
  activity: Source | undefined,
  hiddenActivity?: Activity | undefined,
): Place {
  const hutId = inherited(asked.hutId, activity?.hutId);
  return {
    hutId,
    category: inherited(asked.category, activity?.category) || null,
    isPrivate: hutId === null && (asked.isPrivate === true || isHidden(asked, activity ?? hiddenActivity)),
  };
}

/** A public hut comes with its activity, also for a host who does not belong to it. */
export const comesWithActivity = (hutId: number | null, activity: Activity | undefined): boolean =>
  hutId !== null && activity?.hutId === hutId && !activity.isPrivate;

/** Only what is made from a private activity without a hut may be public at once. */
const isHidden = (asked: Asked, activity: Activity | undefined): boolean =>
  activity?.isPrivate === true && (activity.hutId !== null || asked.isPrivate !== false);

/**
 * The privacy that a series stores beside its own, for the dates that it lays out later: false only if its host chose to
 * be public beside a private activity. Otherwise each date asks the activity again.
 */
export const privacyOfDates = (place: Place, activity: Source | undefined): false | undefined =>
  activity?.isPrivate && place.hutId === null && !place.isPrivate ? false : undefined;
