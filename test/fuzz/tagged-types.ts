/** A module with one tool for each generated type, and the tags that each type brings. */
export interface TaggedModule {
  readonly text: string;
  readonly tools: readonly TaggedTool[];
}

export interface TaggedTool {
  readonly name: string;
  /** Numbers that occur in one tag each: that of a tag that must come into the schema. */
  readonly tags: readonly number[];
}

/** A type as text. */
interface Written {
  readonly text: string;
  readonly kind: "string" | "number" | "list" | "other";
  readonly tags: readonly number[];
}

/** A source of whole numbers below another, the same for the same seed. */
export function choices(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const helpers = `
interface Box<T> { value: T; list: T[]; }
interface Crate<T> extends Box<T[]> { own: T; }
interface Preset<T = string> { preset: T; }
type Pair<A, B> = { first: A; second: B };
type Maybe<T> = T | null;
type Many<T> = T | T[];
type Nullable<T> = { [K in keyof T]: T[K] | null };
type Lists<T> = { [K in keyof T]: T[K][] };
type Mutable<T> = { -readonly [K in keyof T]: T[K] };
`;

/** Writes types of every shape, each with tags on aliases, fields, elements and index signatures that no other has. */
export function taggedModule(count: number, seed: number): TaggedModule {
  const choose = choices(seed);
  const lines: string[] = [helpers];
  const tools: TaggedTool[] = [];
  let names = 0;
  let low = 0;
  let high = 100_000;

  const fresh = (prefix: string): string => `${prefix}${(names += 1)}`;
  const pick = <T>(items: readonly T[]): T => items[choose(items.length)] as T;

  /** A tag for a use, which no alias has, so that it stands in nobody's place. */
  const ownTag = ({ kind }: Written): { readonly text: string; readonly tags: readonly number[] } => {
    const name = { string: "minLength", number: "minimum", list: "minItems", other: undefined }[kind];
    if (name === undefined || choose(2) === 0) return { text: "", tags: [] };
    low += 1;
    return { text: `/** @${name} ${low} */ `, tags: [low] };
  };

  const alias = (): Written => {
    const name = fresh("Alias");
    high += 1;
    const [kind, tag] = pick([
      ["string", "maxLength"],
      ["number", "maximum"],
    ] as const);
    lines.push(`/** @${tag} ${high} */`, `type ${name} = ${kind};`);
    return { text: name, kind, tags: [high] };
  };

  const aliasOfAlias = (): Written => {
    const inner = choose(3) === 0 ? aliasOfAlias() : alias();
    const name = fresh("Other");
    lines.push(`type ${name} = ${inner.text};`);
    return { ...inner, text: name };
  };

  const listAlias = (depth: number): Written => {
    const item = write(depth - 1);
    const name = fresh("List");
    high += 1;
    lines.push(`/** @maxItems ${high} */`, `type ${name} = (${item.text})[];`);
    return { text: name, kind: "list", tags: [...item.tags, high] };
  };

  const field = (key: string, depth: number, lineBreak: string): Written => {
    const type = write(depth - 1);
    const own = ownTag(type);
    return { text: `${lineBreak}${own.text}${key}: ${type.text};`, kind: "other", tags: [...own.tags, ...type.tags] };
  };

  const model = (depth: number): { readonly name: string; readonly a: Written; readonly b: Written } => {
    const name = fresh("Model");
    const [a, b] = [field("a", depth, "\n  "), field("b", depth, "\n  ")];
    if (choose(2) === 0) lines.push(`interface ${name} {${a.text}${b.text}\n}`);
    else lines.push(`interface ${name}Base {${a.text}\n}`, `interface ${name} extends ${name}Base {${b.text}\n}`);
    return { name, a, b };
  };

  const joined = (text: string, ...parts: readonly Written[]): Written => ({
    text,
    kind: "other",
    tags: parts.flatMap(({ tags }) => tags),
  });

  const ofOne = (depth: number): Written => {
    const inner = write(depth - 1);
    const { text, tags } = inner;
    const own = ownTag(inner);
    return pick<() => Written>([
      () => ({ text: `(${text})[]`, kind: "list", tags }),
      () => ({ text: `ReadonlyArray<${text}>`, kind: "list", tags }),
      () => joined(`Record<string, ${text}>`, inner),
      () => joined(`{ [K in "x" | "y"]: ${text} }`, inner),
      () => joined(`Box<${text}>`, inner),
      () => joined(`Crate<${text}>`, inner),
      () => joined(`Preset<${text}>`, inner),
      () => joined(`Partial<Box<${text}>>`, inner),
      () => ({ ...inner, text: `Maybe<${text}>` }),
      () => joined(`[${text}, boolean?]`, inner),
      () => joined(`[boolean, ...(${text})[]]`, inner),
      () => ({ ...joined(`{ ${own.text}[key: string]: ${text} }`, inner), tags: [...tags, ...own.tags] }),
      () => ({ ...joined(`[${own.text}one: ${text}, two?: boolean]`, inner), tags: [...tags, ...own.tags] }),
      () => ({ ...inner, text: `(${text} | null)` }),
      () => joined(`Readonly<Record<string, ${text}>>`, inner),
      () => ({ ...inner, text: `{ [K in "p"]: ${text} }["p"]` }),
      () => ({ ...inner, text: `Record<"p", ${text}>["p"]` }),
      () => ({ ...inner, text: `(${text})[][0]` }),
      () => ({ ...inner, text: `[boolean, ${text}][1]` }),
      () => inferred(inner),
    ])();
  };

  /** A type that is taken from a value or a function. */
  const inferred = (inner: Written): Written => {
    const name = fresh("value");
    if (choose(2) === 0) {
      lines.push(`declare const ${name}: ${inner.text};`);
      return { ...inner, text: `typeof ${name}` };
    }
    lines.push(`declare function ${name}(): ${inner.text};`);
    return { ...inner, text: `ReturnType<typeof ${name}>` };
  };

  /** A type with a comment in front of it, as a member of a union has. */
  const described = (): Written => {
    high += 1;
    const [kind, tag] = pick([
      ["string", "maxLength"],
      ["number", "maximum"],
    ] as const);
    return { text: `(/** @${tag} ${high} */ ${kind})`, kind, tags: [high] };
  };

  /** A field that is declared again: its own tags are others than those of the base. */
  const redeclared = (depth: number): Written => {
    const base = field("a", depth, "\n  ");
    const name = fresh("Again");
    high += 1;
    lines.push(`interface ${name}Base {\n  /** @maxLength ${high} */\n  b: string;${base.text}\n}`);
    low += 1;
    lines.push(`interface ${name} extends ${name}Base {\n  /** @minLength ${low} */\n  b: string;\n}`);
    return { text: name, kind: "other", tags: [...base.tags, high, low] };
  };

  const ofModel = (depth: number): Written => {
    const { name, a, b } = model(depth);
    return pick<() => Written>([
      () => joined(name, a, b),
      () => joined(`Partial<${name}>`, a, b),
      () => joined(`Readonly<${name}>`, a, b),
      () => joined(`Mutable<${name}>`, a, b),
      () => joined(`Required<Partial<${name}>>`, a, b),
      () => joined(`Pick<${name}, "a">`, a),
      () => joined(`Omit<${name}, "a">`, b),
      () => joined(`Nullable<${name}>`, a, b),
      () => joined(`Lists<${name}>`, a, b),
      () => joined(`${name}["b"]`, b),
      () => joined(`(${name} & { c: boolean })`, a, b),
      () => joined(`(Pick<${name}, "a"> & Omit<${name}, "a">)`, a, b),
    ])();
  };

  const ofScalars = (): Written => {
    const [first, second, more] = [alias(), aliasOfAlias(), described()];
    return pick<() => Written>([
      () => joined(`(${first.text} | ${second.text})`, first, second),
      () => joined(`(${first.text} | ${second.text} | null)`, first, second),
      () => joined(`Pair<${first.text}, ${second.text}>`, first, second),
      () => joined(`Many<${first.text}>`, first),
      () => ({ ...first, text: `(${first.text} & { readonly __brand: "b" })` }),
      () => ({ ...first, text: `NonNullable<${first.text} | null>` }),
      () => ({ ...first, text: `Exclude<${first.text} | boolean, boolean>` }),
      () => joined(`Map<string, ${first.text}>`, first),
      () => joined(`Set<${first.text}>`, first),
      () => joined(`(${first.text} | ${more.text} | boolean)`, first, more),
      () => more,
    ])();
  };

  const write = (depth: number): Written => {
    if (depth <= 0) return choose(2) === 0 ? alias() : aliasOfAlias();
    return pick<() => Written>([
      alias,
      aliasOfAlias,
      () => listAlias(depth),
      ofScalars,
      () => ofOne(depth),
      () => ofOne(depth),
      () => ofModel(depth),
      () => redeclared(depth),
    ])();
  };

  for (let index = 0; index < count; index += 1) {
    const type = write(3);
    const own = ownTag(type);
    const name = `probe${index}`;
    // Tags of a value stand in front of it, or in the comment of the tool.
    const [inFront, inTool] = choose(2) === 0 ? [own.text, ""] : ["", own.text.slice(4, -4)];
    const isPositional = choose(2) === 0;
    const named = `@param ${isPositional ? "" : "request."}value - The value. ${inTool}`;
    const parameters = isPositional
      ? `${inFront}value: ${type.text}, other: boolean`
      : `request: { ${inFront}value: ${type.text} }`;
    lines.push(`/** Probes. @tool\n * ${inTool === "" ? "" : named} */`);
    lines.push(`export function ${name}(${parameters}): void {}`);
    tools.push({ name, tags: [...type.tags, ...own.tags] });
  }
  return { text: `${lines.join("\n")}\n`, tools };
}
