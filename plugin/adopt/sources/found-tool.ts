import { relative } from "node:path";
import type { ts } from "ts-morph";
import type { AdoptedSource, AdoptedTool } from "../../model/adopted.ts";
import { docComment } from "../base/comment.ts";
import { leaveOpen, lineOf } from "../base/context.ts";
import { follow, type Followed } from "../base/follow.ts";
import { freeName, functionName, toolName, typeName } from "../base/names.ts";
import { staticText, staticValue } from "../base/static-value.ts";
import type { Draft, Drafts } from "../code/drafts.ts";
import { type HandledBody, readHandler } from "../code/handler.ts";
import { openZod, readSchemaOrFields } from "../zod/read-zod.ts";
import { fieldsOf, type Shape, shapeOf, unnamed } from "../base/shape.ts";

/** Reads the tools of one library in a file, and adds them to the drafts. */
export type SourceReader = (file: ts.SourceFile, drafts: Drafts) => void;

/** A tool of an MCP library, with the parts that its registration names. */
export interface FoundTool {
  readonly node: ts.Node;
  readonly source: AdoptedSource;
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly annotations?: Followed | undefined;
  readonly input?: Followed | undefined;
  readonly output?: Followed | undefined;
  readonly handler?: Followed | undefined;
}

/** Annotations of MCP with the corresponding tags. */
const hints: { readonly [name: string]: string } = {
  readOnlyHint: "@readonly",
  destructiveHint: "@destructive",
  idempotentHint: "@idempotent",
  openWorldHint: "@openWorld",
};

/** Begins a tool: lines that are reported from now on belong to it. Returns a valid name that no other tool has. */
export function startTool({ context }: Drafts, node: ts.Node, name: string): string {
  const legal = freeName(toolName(name), context.toolNames);
  context.tool = legal;
  if (legal !== name)
    leaveOpen(context, node, `\`${name}\` cannot be the name of a tool, or is taken`, `it is \`${legal}\` now`);
  return legal;
}

/** Adds a tool with the handler of an MCP library. */
export function addFoundTool(drafts: Drafts, file: ts.SourceFile, found: FoundTool): void {
  const { context } = drafts;
  const draft = drafts.of(file.fileName);
  const name = startTool(drafts, found.node, found.name);
  const zod = openZod(context);
  const request = found.input && readSchemaOrFields(zod, found.input);
  const output = found.output && readSchemaOrFields(zod, found.output);
  const result = output && modelOf(drafts, draft, output, { name }, "result");
  const body =
    found.handler === undefined
      ? unknownBody(drafts, found.node)
      : readHandler(drafts, draft, found.handler, { result });
  writeTool(drafts, draft, { ...found, name }, request, body, annotationTags(drafts, found));
}

/** Properties of a tool that all libraries provide. */
export type ToolFacts = Pick<FoundTool, "node" | "source" | "name" | "description"> &
  Pick<AdoptedTool, "route" | "parameters">;

/** Adds a tool whose body is known. */
export function writeTool(
  drafts: Drafts,
  draft: Draft,
  { node, source, name, description, route, parameters }: ToolFacts,
  request: Shape | undefined,
  body: HandledBody,
  tags: readonly string[],
): void {
  const { context } = drafts;
  const type = request && requestType(drafts, draft, request, { node, name });
  // Chosen after the names that the body uses, since these must not change.
  const chosen = freeName(functionName(name), context.namesOf(draft.file));
  if (description === undefined || description.trim() === "")
    leaveOpen(context, node, "the tool has no text that stands in the code", "write a sentence that says what it does");
  const tool: AdoptedTool = {
    file: relative(context.root, draft.file).replaceAll("\\", "/"),
    line: lineOf(node),
    name,
    source,
    ...(route !== undefined && { route }),
    ...(parameters !== undefined && { parameters }),
    functionName: chosen,
    comment: docComment(description ?? `${typeName(name).replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")}.`, [
      "@tool",
      ...(name === chosen ? [] : [`@name ${name}`]),
      ...tags,
    ]),
    ...(type !== undefined && { request: type }),
    parameter: type === undefined ? "" : body.parameter === "" ? "_request" : body.parameter,
    isAsync: body.isAsync,
    body: body.body,
    ...(body.result !== undefined && { result: body.result }),
  };
  draft.tools.push(tool);
  context.tool = undefined;
}

function requestType(
  drafts: Drafts,
  draft: Draft,
  shape: Shape,
  { node, name }: Pick<FoundTool, "node" | "name">,
): string | undefined {
  const fields = fieldsOf(shape);
  if (fields?.size === 0 && !hasIndex(shape)) return undefined;
  if (fields === undefined && unnamed(shape).core.kind !== "union")
    leaveOpen(drafts.context, node, "the request is not an object", "make it one with a field for the value");
  return modelOf(drafts, draft, shape, { name }, "request");
}

function hasIndex(shape: Shape): boolean {
  const { core } = unnamed(shape);
  return core.kind === "object" && core.index !== undefined;
}

/**
 * Returns the name of a request's or result's type. If the schema is optional or has a default, the name stands for the
 * schema without these.
 */
export function modelOf(
  drafts: Drafts,
  draft: Draft,
  shape: Shape,
  { name }: Pick<FoundTool, "name">,
  kind: "request" | "result",
): string {
  const wanted = `${typeName(name)}${kind === "request" ? "Request" : "Result"}`;
  const free = shape.core.kind === "named" ? wanted : freeName(wanted, drafts.context.namesOf(draft.file));
  const model = shape.core.kind === "named" ? shapeOf(shape.core) : shape;
  return drafts.model(draft, model, free, name, kind);
}

/** Makes a body that throws, for a tool whose handler was not found. */
export function unknownBody({ context }: Pick<Drafts, "context">, node: ts.Node): HandledBody {
  leaveOpen(context, node, "its handler does not stand in the code that was read", "write the body");
  return { parameter: "request", body: '  throw new Error("The body was not carried over.");', isAsync: false };
}

function annotationTags({ context }: Drafts, { title, annotations }: FoundTool): readonly string[] {
  const value = annotations && staticValue(context, annotations)?.value;
  const given = value !== null && typeof value === "object" ? (value as Readonly<Record<string, unknown>>) : {};
  const shown = title ?? (typeof given["title"] === "string" ? given["title"] : undefined);
  const tags = Object.entries(hints).flatMap(([name, tag]) => (given[name] === true ? [tag] : []));
  if (annotations !== undefined && value === undefined)
    leaveOpen(context, annotations.node, "annotations that are made at run time", "add `@readonly` and the like");
  return [...(shown === undefined ? [] : [`@title ${shown.replaceAll(/\s+/g, " ")}`]), ...tags];
}

/** Returns the text of a member in an object literal; reports a text that is known only at run time. */
export function textMember({ context }: Drafts, member: Followed | undefined): string | undefined {
  if (member === undefined) return undefined;
  const text = staticText(context, member.node, member.bound);
  if (text === undefined)
    leaveOpen(context, follow(context, member).node, "a text that is made at run time", "write it into the comment");
  return text;
}
