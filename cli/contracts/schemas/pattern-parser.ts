/** A regular expression as a tree, in as much detail as is needed to generate matching texts. */
export type PatternNode =
  | { readonly kind: "choice" | "sequence"; readonly nodes: readonly PatternNode[] }
  | { readonly kind: "repeat"; readonly node: PatternNode; readonly least: number; readonly most: number }
  /** One character, as an expression of its own. */
  | { readonly kind: "character"; readonly source: string };

const lookaround = /^\(\?(?:=|!|<=|<!)/;
const groupStart = /^\((?:\?(?::|<[^>]*>|[a-z-]+:))?/;
const quantifier = /^(?:\*|\+|\?|\{(\d+)(,(\d*))?\})\??/;
const character =
  /^(?:\[(?:\\[\s\S]|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[0-9a-fA-F]+\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\c[A-Za-z]|\\[\s\S]|[\s\S])/u;
const nothing: PatternNode = { kind: "sequence", nodes: [] };

/**
 * Reads a pattern. Assertions and back references are ignored, since generated texts are tested against the pattern.
 */
export function parsePattern(pattern: string): PatternNode {
  let rest = pattern;

  const take = (length: number): string => {
    const text = rest.slice(0, length);
    rest = rest.slice(length);
    return text;
  };

  function readChoice(): PatternNode {
    const nodes = [readSequence()];
    while (rest.startsWith("|")) {
      take(1);
      nodes.push(readSequence());
    }
    return nodes.length === 1 ? (nodes[0] ?? nothing) : { kind: "choice", nodes };
  }

  function readSequence(): PatternNode {
    const nodes: PatternNode[] = [];
    const isOver = (): boolean => rest === "" || rest.startsWith("|") || rest.startsWith(")");
    while (!isOver()) nodes.push(readRepeat(readOne()));
    return { kind: "sequence", nodes };
  }

  function readRepeat(node: PatternNode): PatternNode {
    const found = quantifier.exec(rest);
    if (found === null) return node;
    const text = take(found[0].length);
    if (text.startsWith("*")) return { kind: "repeat", node, least: 0, most: Infinity };
    if (text.startsWith("+")) return { kind: "repeat", node, least: 1, most: Infinity };
    if (text.startsWith("?")) return { kind: "repeat", node, least: 0, most: 1 };
    const least = Number(found[1]);
    return { kind: "repeat", node, least, most: found[2] === undefined ? least : Number(found[3] || Infinity) };
  }

  function readOne(): PatternNode {
    if (rest.startsWith("(")) {
      const isAssertion = lookaround.test(rest);
      take((lookaround.exec(rest) ?? groupStart.exec(rest))?.[0].length ?? 1);
      const inner = readChoice();
      if (rest.startsWith(")")) take(1);
      return isAssertion ? nothing : inner;
    }
    const source = take(character.exec(rest)?.[0].length ?? 1);
    if (/^(?:\^|\$|\\[bB]|\\[1-9k])/.test(source)) return nothing;
    return { kind: "character", source };
  }

  return readChoice();
}
