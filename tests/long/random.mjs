// Random numbers from a seed (mulberry32), so that a run can be repeated.
export function randomOf(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const share = () => next() / 2 ** 32;
  return {
    next,
    share,
    between: (from, to) => from + share() * (to - from),
    pick: (list) => list[Math.floor(share() * list.length)],
  };
}
