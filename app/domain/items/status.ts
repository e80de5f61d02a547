// The status of an item, as stored.
export const ITEM_STATUS = { unpublished: 0, published: 1 } as const;
