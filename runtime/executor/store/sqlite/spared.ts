/** Milliseconds below which a read is fast. */
const fast = 25;
/** Factor: the answer of a slow read is used again for so many times the duration of the read. */
const share = 20;

/**
 * Lets slow reads take at most a twentieth of the time: their answer is used again for a while, so that queries over
 * many rows, which a monitor may repeat each second, do not block the process.
 */
export function spared<Of, Answer>(read: (of: Of) => Answer): (of: Of) => Answer {
  const last = new Map<Of, { readonly answer: Answer; readonly until: number }>();
  return (of) => {
    const began = performance.now();
    const known = last.get(of);
    if (known !== undefined && began < known.until) return known.answer;
    const answer = read(of);
    const ended = performance.now();
    const took = ended - began;
    last.set(of, { answer, until: took < fast ? 0 : ended + share * took });
    return answer;
  };
}
