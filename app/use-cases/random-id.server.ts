// A short random word for what needs one of its own, such as the end of a slug that somebody has taken (K-06).
import { customAlphabet } from "nanoid";

const RANDOM_ID_LENGTH = 5;
export const randomId = customAlphabet("0123456789abcdefghijklmnopqrstuvwxyz", RANDOM_ID_LENGTH);
