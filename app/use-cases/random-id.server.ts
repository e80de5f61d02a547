// A short random id, such as the suffix of a taken slug (K-06).
import { customAlphabet } from "nanoid";

const RANDOM_ID_LENGTH = 5;
export const randomId = customAlphabet("0123456789abcdefghijklmnopqrstuvwxyz", RANDOM_ID_LENGTH);
