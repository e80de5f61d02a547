// Whether a key press is an Enter of its own: the Enter that ends a composition only takes over its text.

type Press = { key: string; isComposing: boolean; keyCode: number };

/** Safari ends the composition before this key's event, and only its key code still tells. */
const COMPOSITION = 229;

export const isEnter = (press: Press | { nativeEvent: Press }): boolean => {
  const { key, isComposing, keyCode } = "nativeEvent" in press ? press.nativeEvent : press;
  return key === "Enter" && !isComposing && keyCode !== COMPOSITION;
};
