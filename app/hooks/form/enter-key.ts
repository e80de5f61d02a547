// Tells an Enter that submits from the Enter that accepts the text of an input method.

type Press = { key: string; isComposing: boolean; keyCode: number };

/** Safari ends the composition before the event of this key, so that only the key code still shows it. */
const COMPOSITION_KEY_CODE = 229;

export const isEnter = (press: Press | { nativeEvent: Press }): boolean => {
  const { key, isComposing, keyCode } = "nativeEvent" in press ? press.nativeEvent : press;
  return key === "Enter" && !isComposing && keyCode !== COMPOSITION_KEY_CODE;
};
