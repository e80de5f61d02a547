// How deep a heading stands: cards right under the page's title are its second level, those in a section its third.
import { createContext, useContext } from "react";

export type HeadingLevel = 2 | 3 | 4;

const Level = createContext<HeadingLevel>(2);
export const HeadingLevelProvider = Level.Provider;

/** The tag of a heading here. */
export const useHeading = (level?: HeadingLevel): "h2" | "h3" | "h4" => {
  const here = useContext(Level);
  return `h${level ?? here}`;
};
