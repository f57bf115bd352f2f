import { type Hover, MarkupKind, type Position as Cursor } from "vscode-languageserver/node";
import { type CompiledTool, toolPath, toolTokens } from "../../plugin/index.ts";
import type { FieldModel, Position, TypeModel } from "../../plugin/model/type.ts";
import { openDeclarations, typeName } from "../client/declarations.ts";
import { rangeOf } from "./published.ts";
import type { Place } from "./workspace.ts";

/**
 * Hover for the name of a tool: its description for callers; for a field: its constraints, and the tools that use it.
 */
export function hoverAt({ file, checked }: Place, cursor: Cursor): Hover | undefined {
  const isHere = (at: Position): boolean => at.file === file && holds(at, cursor);
  const tool = checked.tools.find(({ model }) => isHere(model.position));
  if (tool !== undefined) {
    const count = checked.tools.filter(({ model }) => model.kind === undefined).length;
    return hover(toolText(tool, count), tool.model.position);
  }
  const uses = checked.tools.flatMap(({ model }) =>
    [...fieldsOf([...Object.values(model.definitions), ...typesOf(model)])].flatMap((field) =>
      field.at !== undefined && isHere(field.at) ? [{ field, at: field.at, tool: model.name }] : [],
    ),
  );
  const [first] = uses;
  if (first === undefined) return undefined;
  return hover(fieldText(first.field, [...new Set(uses.map((one) => one.tool))]), first.at);
}

function hover(value: string, at: Position): Hover {
  return { contents: { kind: MarkupKind.Markdown, value }, range: rangeOf(at) };
}

function holds({ line, column, length }: Position, cursor: Cursor): boolean {
  return line === cursor.line + 1 && cursor.character >= column - 1 && cursor.character < column - 1 + length;
}

function typesOf({ request, result }: CompiledTool["model"]): readonly TypeModel[] {
  return [...(request ? [request.type] : []), ...(result.type ? [result.type] : [])];
}

/** Iterates over all fields of types, without those of types that they refer to by name. */
function* fieldsOf(types: readonly TypeModel[]): Generator<FieldModel> {
  for (const type of types) {
    if (type.kind === "object") {
      yield* type.fields;
      yield* fieldsOf([...type.fields.map((field) => field.type), ...(type.index ? [type.index] : [])]);
    } else if (type.kind === "union") yield* fieldsOf(type.members);
    else if (type.kind === "array" || type.kind === "set") yield* fieldsOf([type.items]);
    else if (type.kind === "map") yield* fieldsOf([type.values]);
    else if (type.kind === "tuple") yield* fieldsOf(type.elements.map((element) => element.type));
  }
}

function toolText({ model, definition }: CompiledTool, count: number): string {
  const kind = model.kind ?? "tool";
  const tokens = toolTokens(definition);
  const address = kind === "tool" ? ` · \`POST ${toolPath(definition, count)}\`` : "";
  const hints = (["readonly", "destructive", "idempotent", "openWorld"] as const).filter(
    (hint) => model[hint] === true,
  );
  const types = openDeclarations([]);
  const { request, result } = definition;
  const given = request?.schema && types.add(request.schema, `${typeName(model.name)}Request`, "request");
  const answer = result.schema && types.add(result.schema, `${typeName(model.name)}Result`, "result");
  const signature = `${model.name}(${given === undefined ? "" : `request: ${given}`}): ${answer ?? model.result.kind}`;
  return [
    `**${model.title ?? model.name}** · ${kind}${address} · about ${tokens} tokens`,
    ...(hints.length > 0 ? [hints.map((hint) => `\`@${hint}\``).join(" ")] : []),
    ...(model.request?.urn === undefined ? [] : [`request \`${model.request.urn}\``]),
    ...(model.result.urn === undefined ? [] : [`result \`${model.result.urn}\``]),
    `\`\`\`ts\n${[signature, ...types.texts()].join("\n\n")}\n\`\`\``,
  ].join("\n\n");
}

/** Constraints of a value in the form of their tags. */
function fieldText({ key, type, optional, default: value }: FieldModel, tools: readonly string[]): string {
  const { kind, ...facts } = type;
  const limits = Object.entries(facts).flatMap(([name, limit]) =>
    ["number", "string", "boolean"].includes(typeof limit) && name !== "description" && name !== "title"
      ? [`${name} \`${String(limit)}\``]
      : [],
  );
  return [
    `**${key}** · ${kind === "ref" ? "object" : kind}${optional === true ? " · optional" : ""}`,
    ...(limits.length > 0 ? [limits.join(" · ")] : []),
    ...(value === undefined ? [] : [`default \`${JSON.stringify(value)}\``]),
    `used by ${tools.map((name) => `\`${name}\``).join(", ")}`,
  ].join("\n\n");
}
