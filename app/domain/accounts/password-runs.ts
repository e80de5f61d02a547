// Passwords that a pattern makes easy to guess (V-06). The server has the list of common ones.

/** A repeated character, or a sequence such as `abcdefgh` and `98765432`. */
export function isRun(text: string): boolean {
  const steps = new Set<number>();
  for (let i = 1; i < text.length; i++) steps.add(text.charCodeAt(i) - text.charCodeAt(i - 1));
  const [step] = steps;
  return steps.size === 1 && step !== undefined && Math.abs(step) <= 1;
}
