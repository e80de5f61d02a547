// The roles of accounts, seats and members of huts, as stored.

export const USER_ROLE = { ordinary: 1, superAdmin: 10 } as const;

/** The roles of a seat in a session. */
export const SEAT_ROLE = { participant: 0, admin: 1 } as const;
export type SeatRole = (typeof SEAT_ROLE)[keyof typeof SEAT_ROLE];

/** The roles of a member of a hut. The hut's owner needs none. */
export const HUT_ROLE = { member: 0, moderator: 1 } as const;
export type HutRole = (typeof HUT_ROLE)[keyof typeof HUT_ROLE];
