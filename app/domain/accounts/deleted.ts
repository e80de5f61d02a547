// The placeholders that replace the user of a deleted account. Without imports: `npm run restore` runs it in Node.

/** The name that others see after the deletion. It contains a dot, so nobody can register it (V-04). */
export const deletedName = (userId: number): string => `deleted.${userId}`;
/** An address that receives no mail (RFC 2606). */
export const deletedEmail = (userId: number): string => `${deletedName(userId)}@deleted.invalid`;
export const isDeletedEmail = (email: string): boolean => email.endsWith("@deleted.invalid");
