/**
 * Tests in one chain. Parsers nest a chain as deep as it has links, and a bundler's stack ends at some thousand.
 */
const longestChain = 2000;

/** Joins tests with `&&`. Very long chains are written as a chain of shorter ones in brackets. */
export function allOf(tests: readonly string[]): string {
  if (tests.length <= longestChain) return tests.join("&&");
  const groups = Array.from({ length: Math.ceil(tests.length / longestChain) }, (_, index) => {
    const group = tests.slice(index * longestChain, (index + 1) * longestChain);
    return `(${group.join("&&")})`;
  });
  return allOf(groups);
}
