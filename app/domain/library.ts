// The things of the library that pages ask for by name (H-02).

/** The activity and the session of the welcome tour, by the ids that an installation remembers. */
export const TOUR_IDS = {
  activity: "0b1d6c1e-4c53-4d0e-9a5b-1f6b7c3a0101",
  session: "0b1d6c1e-4c53-4d0e-9a5b-1f6b7c3a0102",
} as const;
/** Their addresses on this installation; null where the library does not have them. */
export type TourPlaces = { activity: string | null; session: number | null };
