import { docComment, indented } from "../base/comment.ts";
import type { Core, NamedType, Shape } from "../base/shape.ts";

/** Returns the name by which a module refers to a type, and imports it if needed. */
export type UseType = (type: NamedType) => string;

/** Makes the TypeScript type of a shape, preceded by its tags in a comment, for a type that is not that of a field. */
export function typeText(shape: Shape, use: UseType): string {
  const text = coreText(shape.core, use);
  const takesLine = shape.tags.some((tag) => /^@(?:pattern|title|example)\b/.test(tag));
  const comment = docComment(undefined, takesLine ? shape.tags : [shape.tags.join(" ")]).trim();
  return comment === "" ? text : `${comment} ${inBrackets(text)}`;
}

/** Makes the TypeScript type of a shape without its tags. */
export function coreText(core: Core, use: UseType): string {
  const part = (shape: Shape): string => typeText(shape, use);
  switch (core.kind) {
    case "text":
      return core.text;
    case "named":
      return use(core.type);
    case "list":
      return `${inBrackets(part(core.item))}[]`;
    case "tuple": {
      const items = core.items.map((item) => `${inBrackets(part(item))}${item.optional ? "?" : ""}`);
      return `[${[...items, ...(core.rest === undefined ? [] : [`...${inBrackets(part(core.rest))}[]`])].join(", ")}]`;
    }
    case "generic":
      return `${core.name}<${core.of.map(part).join(", ")}>`;
    case "union":
      return [...new Set(core.members.map(part))].join(" | ");
    case "both":
      return core.members.map((member) => inBrackets(part(member))).join(" & ");
    case "object":
      return objectText(core, use);
  }
}

function objectText({ fields, index }: Extract<Core, { kind: "object" }>, use: UseType): string {
  if (fields.size === 0) return index === undefined ? "{}" : `Record<string, ${typeText(index, use)}>`;
  const lines = [...fields].map(([key, field]) => fieldText(key, field, use));
  // The signature has the type `unknown`, since it must accept the values of all declared keys.
  if (index !== undefined) lines.push("[key: string]: unknown;");
  return `{\n${indented(lines.join("\n"))}\n}`;
}

function fieldText(key: string, field: Shape, use: UseType): string {
  const { core, tags, description, optional, fallback } = field;
  const comment = docComment(description, [...tags, ...(fallback === undefined ? [] : [`@default ${fallback}`])]);
  // A field with a default is not optional in the function's type: the default is filled in before the call, although
  // callers may omit the field.
  const mark = optional && fallback === undefined ? "?" : "";
  return `${comment}${keyText(key)}${mark}: ${coreText(core, use)};`;
}

/** A key as it is written in a type. */
export function keyText(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}

function inBrackets(type: string): string {
  const isSimple = /^(?:[\w.$]+|"[^"]*"|\{[^]*\}|\[[^]*\])$/.test(type) && !/[}\]] [|&] /.test(type);
  return isSimple ? type : `(${type})`;
}

/** The declaration of a named type. */
export function declarationText(name: string, shape: Shape, tags: readonly string[], use: UseType): string {
  const { core, description } = shape;
  const comment = docComment(description, [...shape.tags, ...tags]);
  const text = coreText(core, use);
  return core.kind === "object" && text.startsWith("{")
    ? `${comment}export interface ${name} ${text}`
    : `${comment}export type ${name} = ${text};`;
}
