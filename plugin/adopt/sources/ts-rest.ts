import { ts } from "ts-morph";
import { follow, type Followed, memberOf } from "../base/follow.ts";
import { typeName } from "../base/names.ts";
import { staticText, staticValue } from "../base/static-value.ts";
import type { Drafts } from "../code/drafts.ts";
import { tsRestLibrary } from "../code/ts-rest-library.ts";
import { addRoute } from "./routes.ts";
import { calleeName, type Endpoint, membersOf, readEndpoints } from "./ts-rest-contract.ts";
import { readHandlers } from "./ts-rest-handlers.ts";

/**
 * Reads contracts of ts-rest and their handlers. All files are read together, since a contract and its handlers are
 * mostly in different files.
 */
export function readTsRest(files: readonly ts.SourceFile[], drafts: Drafts): void {
  const { context } = drafts;
  const endpoints = readEndpoints(context, files);
  const nodes = new Set<ts.Node>(endpoints.map(({ node }) => node));
  const handlers = readHandlers(context, files, (node) => nodes.has(node));
  for (const endpoint of endpoints) {
    const { node, method, path, members } = endpoint;
    const handler = handlers.get(node);
    const text = (key: string): string | undefined => {
      const member = members.get(key);
      return member && staticText(context, member.node, member.bound)?.trim();
    };
    const [summary, description] = [text("summary"), text("description")];
    const shown = summary !== undefined && description !== undefined ? summary.replace(/(?<=\w)$/, ".") : summary;
    const deprecated = members.get("deprecated");
    const isDeprecated = deprecated !== undefined && staticValue(context, deprecated)?.value === true;
    const schema = (key: string): Followed | undefined => schemaOf(drafts, members.get(key));
    addRoute(drafts, (handler ?? node).getSourceFile(), {
      node,
      source: "ts-rest",
      method: method.toLowerCase(),
      path,
      name: nameOf(endpoint, endpoints),
      description: [shown, description].filter((one) => one !== undefined && one !== "").join("\n\n") || undefined,
      tags: isDeprecated ? ["@deprecated"] : [],
      params: schema("pathParams"),
      query: schema("query"),
      body: schema("body"),
      result: resultOf(drafts, members.get("responses")),
      handler,
      library: tsRestLibrary(context),
    });
  }
}

/** Returns the key of an endpoint; preceded by the keys of its routers if other endpoints have the same key. */
function nameOf({ keys }: Endpoint, all: readonly Endpoint[]): string {
  const own = keys.at(-1) ?? "endpoint";
  if (all.filter((one) => one.keys.at(-1) === own).length === 1) return own;
  const [first = own, ...rest] = keys;
  return [first, ...rest.map(typeName)].join("");
}

/**
 * Returns a schema of an endpoint; undefined for a schema that stands for an absent value, such as `null` or
 * `c.noBody()`.
 */
function schemaOf({ context }: Drafts, member: Followed | undefined): Followed | undefined {
  if (member === undefined) return undefined;
  const { node, bound } = follow(context, member);
  if (node.kind === ts.SyntaxKind.NullKeyword || node.getText() === "undefined") return undefined;
  if (!ts.isCallExpression(node)) return member;
  const name = calleeName(node);
  if (/^(?:noBody|null|undefined|void|never)$/.test(name)) return undefined;
  const [first] = node.arguments;
  return name === "otherResponse" && first !== undefined
    ? memberOf(context, follow(context, { node: first, bound }), "body")
    : member;
}

/** Returns the schema of the first successful status (2xx). */
function resultOf(drafts: Drafts, responses: Followed | undefined): Followed | undefined {
  const answers = responses && membersOf(drafts.context, follow(drafts.context, responses));
  const [, first] = [...(answers ?? [])].find(([status]) => /^2\d\d$/.test(status)) ?? [];
  return schemaOf(drafts, first);
}
