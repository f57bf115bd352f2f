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
  const before = parts.filter((part) => "text" in part || part.form !== "query");
  const pieces = split(before, at < 0 ? uri : uri.slice(0, at));
  if (pieces === undefined) return undefined;
  for (const [index, part] of before.entries()) {
    if ("text" in part) continue;
    const value = decode(pieces[index] ?? "");
    if (value === undefined) return undefined;
    values.push([part.name, value]);
  }
  const given = new URLSearchParams(at < 0 ? "" : uri.slice(at));
  for (const name of query) {
    const value = given.get(name);
    if (value !== null) values.push([name, value]);
  }
  return Object.fromEntries(values);
}

/**
 * Splits a text into the pieces that the parts match; an earlier variable takes as much as it can. Goes from the last
 * part to the first and notes where each can begin, as trying one split after the other takes minutes for some texts.
 */
function split(parts: readonly TemplatePart[], text: string): readonly string[] | undefined {
  const [first] = parts;
  if (first !== undefined && "text" in first && !text.startsWith(first.text)) return undefined;
  // For each place of the text: the end of the piece that begins there; -1 when none can.
  const ends: Int32Array[] = [];
  let canEnd = (place: number): boolean => place === text.length;
  for (const part of parts.toReversed()) {
    const found = new Int32Array(text.length + 1).fill(-1);
    let end = -1;
    for (let place = text.length; place >= 0; place--) {
      if ("text" in part) {
        end = place + part.text.length;
        if (text.startsWith(part.text, place) && canEnd(end)) found[place] = end;
      } else {
        if (part.form === "segment" && "/?#".includes(text.charAt(place))) end = -1;
        found[place] = end;
        if (end < 0 && canEnd(place)) end = place;
      }
    }
    ends.unshift(found);
    canEnd = (place) => (found[place] ?? -1) >= 0;
  }
  if (!canEnd(0)) return undefined;
  let start = 0;
  return ends.map((found) => text.slice(start, (start = found[start] ?? start)));
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
