import { parseDuration } from "../../../runtime/contract/duration.ts";
import { nearestName } from "../../../runtime/contract/nearest-name.ts";
import type { PriorityModel } from "../../model/tool.ts";
import type { LiteralType, ObjectType, TypeModel } from "../../model/type.ts";
import { report, type Place } from "../base/reading.ts";
import type { Doc, DocTag } from "../base/tsdoc.ts";
import type { TypeContext } from "../base/type-context.ts";
import { tagPlace } from "../comments/doc-text.ts";
import { misfit } from "../constraints/misfit.ts";
import { modelText } from "../types/model-text.ts";
import { objectOf } from "../types/unions/make-union.ts";
import { constantOf } from "./read-ask-tags.ts";
import { reportUnknown } from "./read-limit-key.ts";
import { reportForm } from "./report-form.ts";

const form = /^(\d[\d.]*\s*[a-z]+)(?:\s+when\s+(\S+)(?:\s+([\s\S]+))?)?$/i;
/** Maximum milliseconds of a head start. */
const longest = 86_400_000;

type Scalar = Exclude<LiteralType["value"], null>;
type ScalarType = Extract<TypeModel, { kind: "string" | "template" | "number" | "boolean" | "literal" }>;

/** Reads the `@priority`s of a tool, each with a condition on a field of the request. */
export function readPriorities(
  context: TypeContext,
  doc: Doc,
  request: ObjectType | undefined,
  { place, others }: { readonly place: Place; readonly others: ReadonlySet<DocTag> },
): readonly PriorityModel[] {
  const found: PriorityModel[] = [];
  for (const tag of doc.tags) {
    if (tag.name !== "priority" || others.has(tag)) continue;
    const at = tagPlace(tag, place);
    const read = readPriority(context, tag, request, at);
    if (read === undefined) continue;
    if (found.some(({ when, is }) => when === read.when && is === read.is))
      reportUseless(context, at, "another one has the same condition, and the largest head start counts.", "keep one");
    else found.push(read);
  }
  return found;
}

function readPriority(
  context: TypeContext,
  tag: DocTag,
  request: ObjectType | undefined,
  at: Place,
): PriorityModel | undefined {
  const [, time = "", when, value] = form.exec(tag.text.trim()) ?? [];
  const headStart = parseDuration(time);
  if (headStart === undefined || headStart < 1 || headStart > longest) {
    const isLong = headStart !== undefined && headStart > longest;
    const why = isLong
      ? "a head start is a day at most, since other jobs wait for as long."
      : "on a tool it takes a head start of up to a day such as `30s`, and `when` with a field of the request.";
    reportForm(context, tag, at, why, `write it as ${example(isLong ? "1d" : "30s", request)}`);
    return undefined;
  }
  if (when === undefined) {
    const why = "all jobs of the tool would have the same head start, and wait for one another alone.";
    reportUseless(context, at, why, `name the calls that have it, as in ${example(time, request)}`);
    return undefined;
  }
  const type = fieldType(context, when, request, at);
  const is = type && valueOf(context, { when, text: value, type, at });
  return is === undefined ? undefined : { headStart, when, is };
}

/** Returns the type of a field, which may be missing in a request. A field that does not exist is reported. */
function fieldType(
  context: TypeContext,
  when: string,
  request: ObjectType | undefined,
  place: Place,
): TypeModel | undefined {
  const [root, ...path] = when.split(".");
  if (root !== "request" || path.length === 0) {
    const message = `\`${when}\` is not a field of the request.`;
    report(context.reading, { code: "TN134", place, message, fix: `write it as ${example("30s", request)}` });
    return undefined;
  }
  let object = request;
  let type: TypeModel | undefined;
  for (const [index, name] of path.entries()) {
    const field = object?.fields.find(({ key }) => key === name);
    if (field === undefined) {
      const owner = ["request", ...path.slice(0, index)].join(".");
      reportUnknown(context, owner, name, object?.fields, place, "there are no fields: leave `@priority` out");
      return undefined;
    }
    ({ type } = field);
    object = objectOf(type, context.definitions);
  }
  return type;
}

interface Condition {
  readonly when: string;
  /** Value as written in the tag. */
  readonly text: string | undefined;
  readonly type: TypeModel;
  readonly at: Place;
}

/** Returns the value that a field must have; one that it cannot have is reported. */
function valueOf(context: TypeContext, { when, text, type, at }: Condition): Scalar | undefined {
  const scalars = scalarsOf(type, context.definitions);
  const shown = `\`${when}\` is \`${modelText(type)}\``;
  const first = scalars.map(sampleOf).find((one) => one !== undefined);
  if (first === undefined) {
    reportUseless(context, at, `${shown}, and a condition compares text, a number or a boolean.`, "take another field");
    return undefined;
  }
  const value = text === undefined ? true : constantOf(text);
  const isScalar = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  if (isScalar && misfit(type, value, context.definitions) === undefined) return value;
  const known = scalars.flatMap((one) => (one.kind === "literal" && one.value !== null ? [one.value] : []));
  const nearest = nearestName(String(isScalar ? value : text), known.map(String));
  const meant = known.find((one) => String(one) === nearest);
  const others = known.slice(0, 12).map((one) => `\`${JSON.stringify(one)}\``);
  const why =
    text === undefined ? `${shown}, and without a value it would have to be true.` : `${shown}, never \`${text}\`.`;
  const example = `write \`${when} ${JSON.stringify(meant ?? first)}\``;
  const fix =
    text === undefined || meant !== undefined || others.length === 0 ? example : `take one of ${others.join(", ")}`;
  reportUseless(context, at, why, fix);
  return undefined;
}

function reportUseless(context: TypeContext, place: Place, why: string, fix: string): void {
  report(context.reading, { code: "TN137", place, message: `\`@priority\` would have no effect: ${why}`, fix });
}

/**
 * Returns the members of a type that the condition of `@priority` can compare. Types that are converted for JSON, such
 * as `Date`, are left out.
 */
function scalarsOf(type: TypeModel, definitions: TypeContext["definitions"]): readonly ScalarType[] {
  switch (type.kind) {
    case "string":
    case "template":
    case "number":
    case "boolean":
    case "literal":
      return [type];
    case "union":
      return type.members.flatMap((member) => scalarsOf(member, definitions));
    case "ref": {
      const target = definitions.get(type.name);
      return target === undefined || target.kind === "ref" ? [] : scalarsOf(target, definitions);
    }
    default:
      return [];
  }
}

/** A value of a type for examples; undefined for `null`. */
function sampleOf(type: ScalarType): Scalar | undefined {
  if (type.kind === "literal") return type.value ?? undefined;
  return type.kind === "boolean" ? true : type.kind === "number" ? 1 : "text";
}

/** Makes an example of the tag with a field of the request. */
function example(time: string, request: ObjectType | undefined): string {
  const fields = request?.fields ?? [];
  const flag = fields.find(({ type }) => type.kind === "boolean");
  const literal = fields.find(
    ({ type }) => type.kind === "union" && type.members.some(({ kind }) => kind === "literal"),
  );
  const [first] = literal?.type.kind === "union" ? literal.type.members.filter(({ kind }) => kind === "literal") : [];
  if (flag === undefined && literal !== undefined && first?.kind === "literal")
    return `\`@priority ${time} when request.${literal.key} ${JSON.stringify(first.value)}\``;
  return `\`@priority ${time} when request.${flag?.key ?? "urgent"}\``;
}
