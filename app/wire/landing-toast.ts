// The toast that an action's redirect carries to the next page, as the value of a cookie.

/** `log`: the log that its Undo deletes; null for a toast without Undo. */
export type LandingToast = { sentence: string; log: number | null };

const LOG_SEPARATOR = "&log=";

export const writeLandingToast = ({ sentence, log }: LandingToast): string =>
  encodeURIComponent(sentence) + (log === null ? "" : `${LOG_SEPARATOR}${log}`);

/** Null for an empty or a malformed value. */
export function readLandingToast(value: string): LandingToast | null {
  const [encoded = "", digits = ""] = value.split(LOG_SEPARATOR);
  const log = /^[1-9]\d*$/.test(digits) && Number.isSafeInteger(Number(digits)) ? Number(digits) : null;
  try {
    const sentence = decodeURIComponent(encoded);
    return sentence ? { sentence, log } : null;
  } catch {
    return null;
  }
}
