/** A part of a URI template: fixed text, or a variable. */
export type TemplatePart =
  | { readonly text: string }
  | {
      readonly name: string;
      /**
       * Form of a variable. `segment`, written `{name}`: text without a slash. `path`, written `{+name}`: any text.
       * `query`: a variable of `{?a,b}`.
       */
      readonly form: "segment" | "path" | "query";
    };

/**
 * Parses a URI template of the forms `{name}`, `{+name}` and `{?a,b}` (RFC 6570). Returns `undefined` for other forms,
 * an unclosed brace or a repeated name.
 */
export function parseUriTemplate(template: string): readonly TemplatePart[] | undefined {
  const parts: TemplatePart[] = [];
  const names = new Set<string>();
  for (const piece of template.split(/(\{[^{}]*\})/)) {
    if (piece === "") continue;
    if (!piece.startsWith("{")) {
      if (/[{}]/.test(piece)) return undefined;
      parts.push({ text: piece });
      continue;
    }
    const [, operator, list = ""] = /^\{([+?]?)([A-Za-z_$][\w$]*(?:,[A-Za-z_$][\w$]*)*)\}$/.exec(piece) ?? [];
    const found = list === "" ? [] : list.split(",");
    if (operator === undefined || (operator !== "?" && found.length !== 1)) return undefined;
    for (const name of found) {
      if (names.has(name)) return undefined;
      names.add(name);
      parts.push({ name, form: operator === "?" ? "query" : operator === "+" ? "path" : "segment" });
    }
  }
  return parts;
}

/** Names of the variables of a template. */
export function templateVariables(parts: readonly TemplatePart[]): readonly string[] {
  return parts.flatMap((part) => ("name" in part ? [part.name] : []));
}

/** The values of a template's variables in an address; `undefined` when the address does not match. */
export function matchUri(parts: readonly TemplatePart[], uri: string): Readonly<Record<string, string>> | undefined {
  const query = parts.flatMap((part) => ("name" in part && part.form === "query" ? [part.name] : []));
  const at = query.length === 0 ? -1 : uri.indexOf("?");
  const values: [string, string][] = [];
  const pattern = parts
    .map((part) => {
      if ("text" in part) return part.text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
      return part.form === "query" ? "" : part.form === "path" ? "(.+)" : "([^/?#]+)";
    })
    .join("");
  const found = new RegExp(`^${pattern}$`, "s").exec(at < 0 ? uri : uri.slice(0, at));
  if (found === null) return undefined;
  const names = parts.flatMap((part) => ("name" in part && part.form !== "query" ? [part.name] : []));
  for (const [index, name] of names.entries()) {
    const value = decode(found[index + 1] ?? "");
    if (value === undefined) return undefined;
    values.push([name, value]);
  }
  const given = new URLSearchParams(at < 0 ? "" : uri.slice(at));
  for (const name of query) {
    const value = given.get(name);
    if (value !== null) values.push([name, value]);
  }
  return Object.fromEntries(values);
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
