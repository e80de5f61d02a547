// Passwords that are easy to guess by their pattern alone (V-06). The list of common ones is the server's.

/** A repeated character, or a run such as `abcdefgh` and `98765432`. */
export function isRun(text: string): boolean {
  const steps = new Set<number>();
  for (let i = 1; i < text.length; i++) steps.add(text.charCodeAt(i) - text.charCodeAt(i - 1));
  const [step] = steps;
  return steps.size === 1 && step !== undefined && Math.abs(step) <= 1;
}
