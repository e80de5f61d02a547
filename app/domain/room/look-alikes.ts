// Names that look alike, whatever their letters (H-23). Pure.
import { replaceSpecialLetters } from "~/domain/folding";

/** Letters of other scripts, and signs, that look like a Latin one. */
const LOOKS_LIKE: Record<string, string> = {
  а: "a",
  ɑ: "a",
  α: "a",
  в: "b",
  β: "b",
  ь: "b",
  с: "c",
  ϲ: "c",
  ԁ: "d",
  е: "e",
  ҽ: "e",
  ε: "e",
  ғ: "f",
  ɡ: "g",
  һ: "h",
  н: "h",
  η: "n",
  і: "l",
  ι: "l",
  ӏ: "l",
  ı: "l",
  i: "l",
  ј: "l",
  j: "l",
  "1": "l",
  "|": "l",
  "!": "l",
  к: "k",
  κ: "k",
  м: "m",
  п: "n",
  ո: "n",
  ν: "v",
  о: "o",
  ο: "o",
  օ: "o",
  σ: "o",
  "0": "o",
  р: "p",
  ρ: "p",
  ԛ: "q",
  г: "r",
  ѕ: "s",
  "5": "s",
  $: "s",
  т: "t",
  τ: "t",
  υ: "u",
  ս: "u",
  ѵ: "v",
  ԝ: "w",
  ω: "w",
  х: "x",
  χ: "x",
  у: "y",
  γ: "y",
  ү: "y",
  "@": "a",
};

/** The look of a name, without case, marks, spaces and differences between letters that look alike; equal looks are too alike. */
export function lookOf(name: string): string {
  const letters = [
    ...replaceSpecialLetters(name.normalize("NFKC").toLowerCase()).normalize("NFKD").replace(/\p{M}/gu, ""),
  ]
    .map((letter) => LOOKS_LIKE[letter] ?? letter)
    .join("")
    .replace(/rn/g, "m")
    .replace(/vv/g, "w");
  const plainLetters = letters.replace(/[^\p{L}\p{N}]/gu, "");
  return plainLetters === "" ? letters.trim() : plainLetters;
}
