/** Texts of types that are too large to be written down, by name; each declares `Large`. */
const largeTypes: Readonly<Record<string, () => string>> = {
  union: () => `type Large = ${times(20_000, (n) => `"member-${n}"`).join(" | ")};`,
  fields: () => `interface Large {\n${times(10_000, (n) => `  /** A text. */\n  f${n}: string;\n`).join("")}}`,
  keys: () =>
    `interface Each {\n${times(5000, (n) => `  /** A number. */\n  k${n}: number;\n`).join("")}}\n` +
    "type Large = { [Key in keyof Each]: Each[Key] };",
  circle: () => {
    const all = times(
      10,
      (n) => `interface D${n} {\n${times(10, (m) => `  /** One. */\n  d${m}?: D${m};\n`).join("")}}\n`,
    );
    return `${all.join("")}type Large = D0;`;
  },
};

/** A module with a tool that takes one of these types. */
export function largeModule(name: string): string {
  const text = largeTypes[name];
  if (text === undefined) throw new Error(`There is no type ${name}.`);
  return `${text()}

/** @schema urn:example:schema.case.1 */
export interface Request {
  /** The value. */
  value: Large;
}

/** Takes a value. @tool */
export function take(request: Request): void {
  void request;
}
`;
}

function times(count: number, make: (n: number) => string): readonly string[] {
  return Array.from({ length: count }, (_, n) => make(n));
}
