// Guests who register while another statement is under way (H-22).
import { type SQL, sql } from "drizzle-orm";

/** A condition inside a batch: the user has not become an account. */
export const isStillGuest = (userId: number): SQL =>
  sql`EXISTS (SELECT 1 FROM users sg WHERE sg.id = ${userId} AND sg.guest_of > 0)`;
