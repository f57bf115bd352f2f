import fc from "fast-check";

/** Making a generator takes longer than hundreds of texts of it. */
const made = new Map<string, fc.Arbitrary<string>>();

/** Texts that a pattern mostly matches; what the generator does not know is written in a way that it does. */
export function textsOf(pattern: string): fc.Arbitrary<string> {
  const before = made.get(pattern);
  if (before !== undefined) return before;
  const texts = generatorOf(pattern);
  made.set(pattern, texts);
  return texts;
}

function generatorOf(pattern: string): fc.Arbitrary<string> {
  const plain = pattern
    // Text without what follows; leaving that out is seldom wrong for a few letters.
    .replaceAll(/\(\?:\(\?!(?:\\.|[^\\)])*\)\[\\s\\S\]\)\*/g, "[a-z0-9]{0,3}")
    .replaceAll("\\P{Changes_When_Uppercased}", "[A-Z0-9_]")
    .replaceAll("\\P{Changes_When_Lowercased}", "[a-z0-9_]")
    .replaceAll("[\\s\\S]*", "[\\s\\S]{0,4}");
  try {
    const texts = fc.stringMatching(new RegExp(plain, "u"), { size: "xsmall" });
    fc.sample(texts, { numRuns: 1, seed: 1 });
    return texts;
  } catch {
    return fc.constantFrom("", "a", "k0");
  }
}
