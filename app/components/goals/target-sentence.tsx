// The goal in a sentence that fills itself in while its form is typed (E-10).
import { useEffect, useRef, useState } from "react";
import { type GoalTexts, goalSentence } from "~/domain/goals/sentence";
import { PRICES, tokensOf } from "~/domain/tokens";
import { useReader } from "~/hooks/use-shell";

const NOTHING_TYPED: GoalTexts = { text: () => "", valuesOf: () => [] };

/**
 * The sentence, and the price of a new goal. Without JavaScript only the price shows, because nothing would fill in the
 * sentence.
 */
export function TargetSentence({ isNew }: { isNew: boolean }) {
  const paragraph = useRef<HTMLParagraphElement>(null);
  const { locale, unit } = useReader();
  const [sentence, setSentence] = useState(() => goalSentence(NOTHING_TYPED, { locale, unit }));
  const cost = tokensOf(PRICES.goal);
  useEffect(() => {
    const form = paragraph.current?.closest("form");
    if (!form) return;
    const updateSentence = () => {
      const fields = new FormData(form);
      setSentence(
        goalSentence(
          {
            text: (name) => String(fields.get(name) ?? ""),
            valuesOf: (name) => fields.getAll(name).map(String),
          },
          { locale, unit },
        ),
      );
    };
    // The reset event comes before the fields change.
    const updateAfterReset = () => setTimeout(updateSentence);
    updateSentence();
    form.addEventListener("input", updateSentence);
    form.addEventListener("change", updateSentence);
    form.addEventListener("reset", updateAfterReset);
    return () => {
      form.removeEventListener("input", updateSentence);
      form.removeEventListener("change", updateSentence);
      form.removeEventListener("reset", updateAfterReset);
    };
  }, [locale, unit]);
  return (
    <p ref={paragraph} className="text-soft">
      <span className="needs-script">
        You will <strong className="text-ink">{sentence.deed}</strong>
        {sentence.rest}.
      </span>
      {isNew && ` Costs ${cost === 1 ? "1 token" : `${cost} tokens`}.`}
    </p>
  );
}
