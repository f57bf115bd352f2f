import { type CompletionItem, CompletionItemKind, type Position } from "vscode-languageserver/node";
import type { TextDocument } from "vscode-languageserver-textdocument";
import type { Checked } from "./project-checks.ts";
import { fieldTagTexts, formatNames, numberTypes, toolTagTexts } from "./tag-texts.ts";

/** Returns completions at the cursor in a TSDoc comment: tags, and the values of tags that have a fixed set. */
export function completions(
  document: TextDocument,
  position: Position,
  checked: Checked | undefined,
): CompletionItem[] {
  const text = document.getText();
  const offset = document.offsetAt(position);
  const open = text.lastIndexOf("/**", offset - 1);
  if (open < 0 || text.slice(open + 3, offset).includes("*/")) return [];
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  const [, value] = /@(format|type|schema)\s+\S*$/.exec(line) ?? [];
  if (value === "format") return values(formatNames);
  if (value === "type") return values(numberTypes);
  if (value === "schema") return values(urnsAt(text, offset, checked));
  if (!/(?:^|[\s*])@\w*$/.test(line)) return [];
  return tagsAt(text, open, offset).map(([name, detail]) => ({
    label: `@${name}`,
    kind: CompletionItemKind.Keyword,
    detail,
    insertText: name,
    filterText: name,
  }));
}

/** Tags for the declaration after the comment; tags of both kinds if it is not written yet. */
function tagsAt(text: string, open: number, offset: number): readonly (readonly [string, string])[] {
  const end = text.indexOf("*/", offset);
  const comment = text.slice(open, end < 0 ? undefined : end);
  const next = end < 0 ? "" : text.slice(end + 2, end + 200).trimStart();
  const isTool =
    /@(?:tool|prompt|resource)\b/.test(comment) || /^export\b(?!\s+(?:interface|type|class|enum))/.test(next);
  const isField =
    /^(?:readonly\s+)?[\w$"'[]+\??\s*:/.test(next) || /^(?:export\s+)?(?:interface|type|class|enum)\b/.test(next);
  return [...(isField ? [] : Object.entries(toolTagTexts)), ...(isTool ? [] : Object.entries(fieldTagTexts))];
}

/** A URN in the namespace of the project, named after the declaration that follows the comment. */
function urnsAt(text: string, offset: number, checked: Checked | undefined): readonly string[] {
  const known = checked?.tools.flatMap(({ model }) => [model.request?.urn, model.result.urn]) ?? [];
  const namespace = known.flatMap((urn) => /^urn:([^:]+):/.exec(urn ?? "")?.[1] ?? [])[0] ?? "example";
  const rest = text.slice(text.indexOf("*/", offset) + 2);
  const [, name = "model"] = /^\s*(?:export\s+)?(?:interface|type|class)\s+([\w$]+)/.exec(rest) ?? [];
  return [`urn:${namespace}:schema.${name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, "-").toLowerCase()}.1`];
}

function values(names: readonly string[]): CompletionItem[] {
  return names.map((label) => ({ label, kind: CompletionItemKind.EnumMember }));
}
