import type { Served } from "../serve";

export const accountApi: Served[] = [];
