import { parseJson, toJson } from "../base/json.ts";

/** A text that the user can copy. */
export interface CopyText {
  readonly name: string;
  readonly text: string;
}

/**
 * Makes texts for copying a call of a route.
 *
 * @param url Absolute address of the route
 */
export function routeTexts(body: string, url: string): readonly CopyText[] {
  const compact = compactOf(body);
  return [
    { name: "curl", text: `curl ${shell(url)} -H 'content-type: application/json' -d ${shell(compact)}` },
    {
      name: "fetch",
      text: `await fetch(${toJson(url)}, {\n  method: "POST",\n  headers: { "content-type": "application/json" },\n  body: JSON.stringify(${compact}),\n});`,
    },
  ];
}

/**
 * Makes texts for copying a call that only a service has.
 *
 * @param url Address of the service
 */
export function toolTexts(name: string, body: string, url: string): readonly CopyText[] {
  const compact = compactOf(body);
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: parseJson(body) ?? {} } };
  return [
    { name: "tenon call", text: `tenon call ${name} ${shell(compact)} --url ${shell(url)}` },
    { name: "MCP JSON", text: toJson(message, true) },
    { name: "typed client", text: clientText(name, compact, url) },
    { name: "@example", text: exampleText(body) },
  ];
}

/** Makes the code of a call by `tenon/client`, in the repository of the tool. */
function clientText(name: string, compact: string, url: string): string {
  const tool = /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${toJson(name)}]`;
  return [
    'import type * as tools from "./tools.ts";\nimport { createClient } from "tenon/client";\n',
    `const service = createClient<typeof tools>({ url: ${toJson(url)} });`,
    `const result = await service${tool}(${compact});`,
  ].join("\n");
}

/** Makes the line of a tool's comment that gives a request as its example. */
export function exampleText(body: string): string {
  return ` * @example ${compactOf(body).replaceAll("*/", String.raw`*\/`)}`;
}

function compactOf(body: string): string {
  const value = parseJson(body);
  return value === undefined ? body : toJson(value);
}

/** Quotes a text as a word of a POSIX shell. */
function shell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
