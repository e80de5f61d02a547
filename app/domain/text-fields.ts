// The kinds of text in forms and calls. Each text field is one of them, which tests/text-fields.test.ts checks.
import { z } from "zod";
import { cleanLines, foldLine } from "./text-lines";

/** Text of one line, such as a title, a name, a code or an address. `sentence` is the error of another type. */
export const oneLine = (sentence?: string) => z.string(sentence).overwrite(foldLine);
/** Text of several lines. */
export const manyLines = (sentence?: string) => z.string(sentence).overwrite(cleanLines);

const asTyped = (text: string): string => text;
/** A password, in which every character counts. */
export const secret = (sentence?: string) => z.string(sentence).overwrite(asTyped);
