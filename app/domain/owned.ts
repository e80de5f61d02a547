// A row together with its owner. The id decides rights on the server; no page or answer contains it.
export type Owned<T> = T & { userId: number };

export const withoutOwner = <T extends { userId: number }>({ userId: _, ...row }: T): Omit<T, "userId"> =>
  row;
