/** One character of a pattern, or a class or an escape that matches one character. */
const single = /\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u.{4}|\\x..|\\.|./suy;
const group = /\((\?(?:[:=!]|<[=!]|<\w+>))?/y;
const count = /(?:([*+?])|\{(\d+)(,)?\d*\})\??/y;
/** Characters that are tried first for a character class. */
const usual = "a0A_-.:/ ";

/**
 * The shortest text that a pattern describes, with `extra` more of each part that may be repeated. It takes the first
 * alternative everywhere and ignores lookahead, so the caller must test the text.
 */
export function matchingText(pattern: string, extra: number): string {
  let at = 0;
  const next = (shape: RegExp): RegExpExecArray | null => {
    shape.lastIndex = at;
    const found = shape.exec(pattern);
    if (found !== null) at = shape.lastIndex;
    return found;
  };
  const alternatives = (): string => {
    const first = sequence();
    while (pattern[at] === "|") {
      at++;
      sequence();
    }
    return first;
  };
  const sequence = (): string => {
    let text = "";
    while (at < pattern.length && pattern[at] !== "|" && pattern[at] !== ")") {
      const part = atom();
      const [, sign, least = sign === "+" ? 1 : 0, isOpen] = next(count) ?? ["", undefined, 1];
      const isRepeated = isOpen !== undefined || sign === "*" || sign === "+";
      text += part.repeat(Math.min(1000, Number(least) + (isRepeated ? extra : 0)));
    }
    return text;
  };
  const atom = (): string => {
    const opened = next(group);
    if (opened !== null) {
      const inner = alternatives();
      at++;
      return /[=!]$/.test(opened[0]) ? "" : inner;
    }
    const [part = ""] = next(single) ?? [];
    if (/^(?:[$^]|\\[bB])$/.test(part)) return "";
    const shape = new RegExp(`^${part}$`, "su");
    return [...usual, ...part].find((character) => shape.test(character)) ?? "";
  };
  return alternatives();
}
