import { ts } from "ts-morph";
import { leaveOpen } from "../base/context.ts";
import { staticText } from "../base/static-value.ts";
import { copiedType } from "../code/copy-models.ts";
import type { Draft, Drafts } from "../code/drafts.ts";
import { textWithUrn } from "../code/model-urn.ts";
import { controllerBody } from "../code/tsoa-body.ts";
import { startTool, writeTool } from "./found-tool.ts";
import { methodComment } from "./tsoa-comment.ts";
import { type Decorator, decoratorsOf, decoratorTags, verbs } from "./tsoa-decorators.ts";
import { isGiven, parametersOf } from "./tsoa-parameters.ts";

/** Reads the methods of classes with `@Route`. */
export function readTsoa(file: ts.SourceFile, drafts: Drafts): void {
  if (!/["'](?:tsoa|tsoa-next|@tsoa(?:-next)?\/runtime)["']/.test(file.text)) return;
  const draft = drafts.of(file.fileName);
  const routes = file.statements.filter(ts.isClassDeclaration).flatMap((owner) => {
    const outer = decoratorsOf(owner);
    const route = outer.find(({ name }) => name === "Route");
    return route === undefined ? [] : owner.members.filter(isRoute).map((method) => ({ method, outer, route, owner }));
  });
  // The models of parameters and results are copied first, so that the bodies refer to the copies.
  for (const { method } of routes)
    for (const { type } of [...method.parameters.filter(isGiven), method])
      if (type !== undefined) copiedType(drafts, draft, type, method);
  for (const { method, outer, route, owner } of routes) {
    const prefix = staticText(drafts.context, route.values[0]) ?? "";
    addMethod(drafts, draft, { method, outer, prefix, owner: owner.name?.text ?? "" });
  }
}

function isRoute(node: ts.Node): node is ts.MethodDeclaration {
  return ts.isMethodDeclaration(node) && decoratorsOf(node).some(({ name }) => verbs.test(name));
}

interface Route {
  readonly method: ts.MethodDeclaration;
  readonly outer: readonly Decorator[];
  readonly prefix: string;
  readonly owner: string;
}

function addMethod(drafts: Drafts, draft: Draft, { method, outer, prefix, owner }: Route): void {
  const { context } = drafts;
  const inner = decoratorsOf(method);
  const verb = inner.find(({ name }) => verbs.test(name));
  const text = (name: string): string | undefined =>
    staticText(context, inner.find((one) => one.name === name)?.values[0]);
  const path = `/${prefix}/${staticText(context, verb?.values[0]) ?? ""}`
    .replaceAll(/\/+/g, "/")
    .replaceAll(/:(\w+)/g, "{$1}");
  const own = text("OperationId") ?? method.name.getText();
  // Methods of several controllers often have the same name; the controller's name is then appended.
  const isTaken = context.toolNames.has(own);
  const name = startTool(drafts, method.name, isTaken ? `${own}${owner.replace(/Controller$/, "")}` : own);
  const comment = methodComment(drafts, method);
  const tags = decoratorTags(context, inner, outer);
  const isAsync = method.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) ?? false;
  const { list, before } = parametersOf(drafts, draft, method, { tool: name, comment });
  const result = resultOf(drafts, draft, method, { tool: name, isAsync });
  const body = before + controllerBody(drafts, draft, method);
  writeTool(
    drafts,
    draft,
    {
      node: method.name,
      source: "tsoa",
      name,
      description: comment.text,
      route: `${verb?.name.toUpperCase()} ${path.length > 1 ? path.replace(/\/$/, "") : path}`,
      parameters: list,
    },
    undefined,
    { parameter: "", body, isAsync, ...(result !== undefined && { result }) },
    [...(verb?.name === "Get" ? ["@readonly"] : []), ...tags, ...comment.tags],
  );
}

function resultOf(
  drafts: Drafts,
  draft: Draft,
  { type, name }: ts.MethodDeclaration,
  { tool, isAsync }: { readonly tool: string; readonly isAsync: boolean },
): string | undefined {
  if (type === undefined) {
    leaveOpen(drafts.context, name, "the type of the result is inferred", "write the type of the result");
    return undefined;
  }
  const promised =
    ts.isTypeReferenceNode(type) && type.typeName.getText() === "Promise" ? type.typeArguments?.[0] : undefined;
  const written = textWithUrn(drafts, draft, promised ?? type, { within: type.parent, tool, kind: "result" });
  const text = written === "any" ? "unknown" : written;
  return promised !== undefined && !isAsync ? `Promise<${text}>` : text;
}
