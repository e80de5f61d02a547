// The records of the library that pages look up by a fixed id (H-02).

/** The ids by which an installation remembers the activity and the session of the welcome tour. */
export const TOUR_IDS = {
  activity: "0b1d6c1e-4c53-4d0e-9a5b-1f6b7c3a0101",
  session: "0b1d6c1e-4c53-4d0e-9a5b-1f6b7c3a0102",
} as const;
/** Their addresses on this installation; null where the library does not have them. */
export type TourPlaces = { activity: string | null; session: number | null };
