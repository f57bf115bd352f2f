import { ts } from "ts-morph";
import type { FieldModel, TypeModel } from "../../../model/type.ts";
import { report, type Place } from "../../base/reading.ts";
import type { Doc, DocTag } from "../../base/tsdoc.ts";
import type { TypeContext } from "../../base/type-context.ts";
import { descriptionOf, tagPlace } from "../../comments/doc-text.ts";
import { docOfParam, paramTags, type ParamTags } from "../../comments/param-tags.ts";
import { applyFieldTags } from "../../constraints/field-tags.ts";
import { objectOf } from "../../types/unions/make-union.ts";
import type { Parameter } from "./parameter.ts";

/** The `@param` lines of a tool, by parameter. They describe the request and fields inside of it. */
export interface ParamTexts {
  /** Lines of each parameter. An empty path is the parameter itself. */
  readonly of: ReadonlyMap<ts.Symbol, readonly ParamTags[]>;
  /** Tags that follow `@param` lines which have been applied: these tags belong to the parameter, not to the tool. */
  readonly used: Set<DocTag>;
}

/** Groups the `@param` lines of a comment by parameter; lines that match no parameter are reported. */
export function paramTexts(
  context: TypeContext,
  parameters: readonly Parameter[],
  doc: Doc | undefined,
  fallback: Place,
): ParamTexts {
  const of = new Map<ts.Symbol, ParamTags[]>();
  const patterns = parameters.filter(({ declaration }) => declaration !== undefined && isPattern(declaration));
  const [pattern] = patterns.length === 1 ? patterns : [];
  let root: string | undefined;
  for (const line of paramTags(doc, context.reading.file.text)) {
    const found = parameters.find(({ symbol }) => symbol.name === line.name);
    const key = pattern && found === undefined ? fieldOfPattern(pattern, line.name) : undefined;
    // The first `@param` with an unknown name is assigned to a destructured request, which has no name of its own.
    const isRoot =
      found === undefined && key === undefined && pattern !== undefined && (root ?? line.name) === line.name;
    if (isRoot) root = line.name;
    const symbol = (found ?? (key !== undefined || isRoot ? pattern : undefined))?.symbol;
    if (symbol === undefined) {
      if (patterns.length < 2) reportUnknown(context, `\`@param ${line.name}\` names no parameter`, line, fallback);
      continue;
    }
    const path = key === undefined ? line.path : [key, ...line.path];
    of.set(symbol, [...(of.get(symbol) ?? []), { ...line, path }]);
  }
  return { of, used: new Set() };
}

function isPattern({ name }: ts.ParameterDeclaration): boolean {
  return ts.isObjectBindingPattern(name);
}

/** Finds the field of a destructured request to which a name refers. */
function fieldOfPattern({ declaration, type }: Parameter, name: string): string | undefined {
  const pattern = declaration?.name;
  const elements = pattern !== undefined && ts.isObjectBindingPattern(pattern) ? pattern.elements : [];
  const element = elements.find((one) => ts.isIdentifier(one.name) && one.name.text === name && !one.dotDotDotToken);
  if (element === undefined) return type.getProperty(name) === undefined ? undefined : name;
  const key = element.propertyName ?? element.name;
  return ts.isIdentifier(key) || ts.isStringLiteral(key) ? key.text : undefined;
}

function reportUnknown(context: TypeContext, message: string, { tag }: ParamTags, fallback: Place): void {
  report(context.reading, {
    code: "TN117",
    place: tagPlace(tag, fallback),
    message: `${message} of this tool.`,
    fix: "use the name of a parameter, or of a field as in `request.name`",
  });
}

/** Adds the `@param` lines of a parameter to the fields of its type. A field's own text takes precedence. */
export function withParamTexts(
  context: TypeContext,
  type: TypeModel,
  { symbol, place }: Parameter,
  texts: ParamTexts,
): TypeModel {
  let result = type;
  for (const line of texts.of.get(symbol) ?? []) {
    if (line.path.length === 0) continue;
    const changed = atPath(context, result, line.path, (field) => described(context, field, line, texts));
    if (changed === undefined)
      reportUnknown(context, `\`@param ${[line.name, ...line.path].join(".")}\` names no field`, line, place);
    result = changed ?? result;
  }
  return result;
}

/** Adds the text of its parameter to a request that has no text of its own. */
export function withRootText(
  context: TypeContext,
  type: TypeModel,
  { symbol }: Parameter,
  texts: ParamTexts,
): TypeModel {
  const line = texts.of.get(symbol)?.find(({ path }) => path.length === 0);
  const own = objectOf(type, context.definitions)?.description;
  if (line === undefined || own !== undefined || type.description !== undefined) return type;
  const { file } = context.reading;
  const description = descriptionOf(context.reading, docOfParam(line), { file, start: line.tag.start, end: 0 });
  return description === "" ? type : { ...type, description };
}

/** Changes one field in copies of all enclosing types, so that other uses of a named type are not affected. */
function atPath(
  context: TypeContext,
  type: TypeModel,
  path: readonly string[],
  change: (field: FieldModel) => FieldModel,
): TypeModel | undefined {
  const inside = (part: TypeModel): TypeModel | undefined => atPath(context, part, path, change);
  const [key, ...rest] = path;
  switch (type.kind) {
    case "ref": {
      const target = context.definitions.get(type.name);
      const changed = target === undefined ? undefined : inside(target);
      const { kind: _kind, name: _name, ...texts } = type;
      return changed && { ...changed, ...texts };
    }
    case "array":
    case "set": {
      const items = inside(type.items);
      return items && { ...type, items };
    }
    case "union": {
      const members = type.members.map(inside);
      if (members.every((member) => member === undefined)) return undefined;
      return { ...type, members: type.members.map((member, index) => members[index] ?? member) };
    }
    case "object": {
      let isFound = false;
      const fields = type.fields.map((field) => {
        if (field.key !== key) return field;
        const inner = rest.length === 0 ? undefined : atPath(context, field.type, rest, change);
        isFound = rest.length === 0 || inner !== undefined;
        return rest.length === 0 ? change(field) : { ...field, type: inner ?? field.type };
      });
      return isFound ? { ...type, fields } : undefined;
    }
    default:
      return undefined;
  }
}

function described(context: TypeContext, field: FieldModel, line: ParamTags, texts: ParamTexts): FieldModel {
  const { file } = context.reading;
  const place: Place = { file, start: line.tag.start, end: line.tag.start + line.tag.length };
  const doc = docOfParam(line);
  context.ledger.meet(file, doc);
  for (const tag of doc.tags) texts.used.add(tag);
  const isTaken = ({ name }: DocTag): boolean =>
    field[(name === "defaultValue" ? "default" : name === "example" ? "examples" : name) as keyof FieldModel] !==
    undefined;
  for (const tag of doc.tags.filter(isTaken)) context.ledger.settle(file, tag, "used");
  const site = { place, subject: `Field \`${field.key}\``, nodes: [], hint: field.key };
  const tags = doc.tags.filter((tag) => !isTaken(tag));
  const scope = { own: true, narrow: true, at: file, on: "field" } as const;
  const result = applyFieldTags(context, field, { ...doc, tags }, site, scope);
  const description = descriptionOf(context.reading, doc, place);
  if (description === "") return result;
  if (field.at !== undefined) context.withoutText.delete(field.at);
  const isOwn = field.at !== undefined && context.withText.has(field.at);
  return isOwn ? result : { ...result, description };
}
