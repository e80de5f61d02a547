// The level of headings: cards directly under the page's title have the second level, those in a section the third.
import { createContext, useContext } from "react";

export type HeadingLevel = 2 | 3 | 4;

const Level = createContext<HeadingLevel>(2);
export const HeadingLevelProvider = Level.Provider;

/** The heading tag of `level`, or of the surrounding section. */
export const useHeading = (level?: HeadingLevel): "h2" | "h3" | "h4" => {
  const inherited = useContext(Level);
  return `h${level ?? inherited}`;
};
