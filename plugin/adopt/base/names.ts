/** Reserved words of JavaScript, which cannot be names of functions. */
const reserved: ReadonlySet<string> = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends " +
    "false finally for function if implements import in instanceof interface let new null package private protected " +
    "public return static super switch this throw true try typeof var void while with yield"
  ).split(" "),
);

/** A name in the style of types: `get-user` becomes `GetUser`. */
export function typeName(text: string): string {
  const words = text.match(/[\p{L}\d$]+/gu) ?? [];
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^[\p{L}$]/u.test(name) ? name : `Type${name}`;
}

/** A name in the style of functions: `get-user` becomes `getUser`. */
export function functionName(text: string): string {
  const name = typeName(text).replace(/^Type(?=\d)/, "tool");
  const lower = /^[\p{Lu}\d]+$/u.test(name) ? name.toLowerCase() : name.charAt(0).toLowerCase() + name.slice(1);
  return reserved.has(lower) ? `${lower}Tool` : lower;
}

/** Makes the name of a schema's type: `userSchema`, `UserSchema` and `zUser` become `User`. */
export function schemaTypeName(text: string): string {
  const bare = text.replace(/^z(?=[A-Z])/, "").replace(/(?<=.)(?:_?Zod)?_?Schema$/i, "");
  return typeName(bare === "" ? text : bare.replaceAll("_", " "));
}

/** Returns the first unused name among `wanted`, `wanted2`, …, and marks it as used. */
export function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number += 1) name = `${wanted}${number}`;
  taken.add(name);
  return name;
}

/** Reduces a name to the characters that every host of tools accepts. */
export function toolName(text: string): string {
  return text.replaceAll(/[^\w.-]+/g, "-").slice(0, 64);
}

/** A URN of a model, for example `urn:my-service:schema.get-user.request.1`. */
export function urnOf(namespace: string, tool: string, kind: string): string {
  const words = tool
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, "$1-$2")
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  return `urn:${namespace}:schema.${words || "tool"}.${kind}.1`;
}
