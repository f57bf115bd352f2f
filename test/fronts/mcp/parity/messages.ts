// Requests that both engines must answer alike: what clients send, and the same with something wrong in every place.
import { legacyBody, modernBody, modernHeaders } from "../raw-http.ts";

export interface SentMessage {
  readonly name: string;
  readonly method?: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
}

const calls: readonly (readonly [name: string, args?: object])[] = [
  ["isPrime", { number: 7 }],
  ["isPrime", { number: "seven" }],
  ["isPrime"],
  ["echo", { text: 'quotes " and \u2028 ends \n' }],
  ["list", {}],
  ["nothing", {}],
  ["summary", { a: 1 }],
  ["silent", {}],
  ["fail", { kind: "user" }],
  ["fail", { kind: "system" }],
  ["steps", { steps: 2 }],
  ["steps", { steps: 0 }],
  ["binary", { type: "image/png" }],
  ["binary", { type: "text/plain", text: "x" }],
  ["bytes", {}],
  ["stream", {}],
  ["stream", { fail: true }],
  ["context", {}],
  ["nope", {}],
];

const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "old", version: "1" } };
const progress = { _meta: { progressToken: "p" } };
const task = {
  _meta: { "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } } },
};

function modern(method: string, params: Record<string, unknown> = {}, more: Record<string, string> = {}): SentMessage {
  const name = typeof params["name"] === "string" ? params["name"] : undefined;
  return {
    name: `${method} ${JSON.stringify(params)} ${JSON.stringify(more)}`,
    headers: { ...modernHeaders(method, name), ...more },
    body: modernBody(method, params),
  };
}

function legacy(method: string, params?: unknown, more: Record<string, string> = {}): SentMessage {
  const name = `legacy ${method} ${JSON.stringify(params)} ${JSON.stringify(more)}`;
  return { name, headers: more, body: legacyBody(method, params) };
}

/** Messages of well-behaved clients. */
export const goodMessages: readonly SentMessage[] = [
  ...calls.flatMap(([name, args]) => [
    modern("tools/call", { name, arguments: args }),
    legacy("tools/call", { name, arguments: args }),
  ]),
  modern("tools/call", { name: "steps", arguments: { steps: 2 }, ...progress }),
  modern("tools/call", { name: "steps", arguments: { steps: 0 }, ...progress }),
  modern("tools/call", { name: "isPrime", arguments: { number: 7 }, ...task }),
  legacy("tools/call", { name: "steps", arguments: { steps: 2 }, _meta: { progressToken: 0 } }),
  modern("tools/call", { name: "routed", arguments: { region: "eu" } }, { "Mcp-Param-Region": "eu" }),
  modern("tools/call", { name: "routed", arguments: { region: "eu" } }, { "Mcp-Param-Region": "us" }),
  modern("tools/call", { name: "routed", arguments: { region: "eu" } }),
  modern("tools/list"),
  modern("tools/list", {}, { "Mcp-Name": "anything" }),
  modern("tools/list", { cursor: "x" }),
  modern("server/discover"),
  modern("ping"),
  modern("initialize", hello),
  modern("prompts/list"),
  modern("nope"),
  legacy("tools/list"),
  legacy("tools/list", {}),
  legacy("tools/list", { cursor: "x" }),
  legacy("ping"),
  legacy("ping", {}, { "MCP-Protocol-Version": "2025-06-18", "Mcp-Session-Id": "x" }),
  legacy("server/discover"),
  ...["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07", "2023-01-01", "2026-07-28", ""].map(
    (protocolVersion) => legacy("initialize", { ...hello, protocolVersion }),
  ),
  legacy("initialize", {
    ...hello,
    capabilities: {
      roots: { listChanged: true },
      sampling: {},
      elicitation: { form: {}, url: {} },
      experimental: { a: {} },
    },
    clientInfo: { name: "old", version: "1", title: "Old", websiteUrl: "https://example.com" },
  }),
  legacy("initialize", { ...hello, capabilities: { tasks: { list: {} } } }),
  legacy("initialize", { ...hello, capabilities: { sampling: null } }),
  legacy("logging/setLevel", { level: "info" }),
  ...["notifications/initialized", "notifications/cancelled", "notifications/nope"].map((method) => ({
    name: method,
    headers: {},
    body: JSON.stringify({ jsonrpc: "2.0", method }),
  })),
  { name: "an answer", headers: {}, body: '{"jsonrpc":"2.0","id":1,"result":{}}' },
  {
    name: "a batch",
    headers: {},
    body: `[${legacyBody("ping", undefined, "a")},${legacyBody("tools/list", undefined, "b")}]`,
  },
  ...["GET", "DELETE", "PUT", "PATCH"].map((method) => ({ name: method, method, headers: {}, body: "" })),
];

/** One of each kind, to be spoiled in every place. */
const spoilt: readonly SentMessage[] = [
  modern("tools/call", {
    name: "isPrime",
    arguments: { number: 7 },
    _meta: { "io.modelcontextprotocol/clientCapabilities": { elicitation: {}, roots: { listChanged: true } } },
  }),
  modern("tools/list"),
  legacy(
    "tools/call",
    { name: "isPrime", arguments: { number: 7 }, _meta: { traceparent: "00-a" } },
    {
      "MCP-Protocol-Version": "2025-11-25",
    },
  ),
  legacy("tools/list", { _meta: {} }),
  legacy("initialize", { ...hello, capabilities: { sampling: {} } }),
  {
    name: "notifications/initialized",
    headers: {},
    body: '{"jsonrpc":"2.0","method":"notifications/initialized","params":{}}',
  },
];

const wrongValues: readonly unknown[] = [null, true, 0, 1.5, "", "x", [], {}, { a: 1 }];
const addedKeys: readonly (readonly [string, unknown])[] = [
  ["x", 1],
  ["task", { ttl: 1 }],
  ["requestState", "s"],
  ["inputResponses", {}],
  ["progressToken", 1.5],
  ["io.modelcontextprotocol/logLevel", "info"],
  ["io.modelcontextprotocol/related-task", { taskId: "t" }],
  ["io.modelcontextprotocol/protocolVersion", "2026-07-28"],
];
const wrongHeaders: readonly (string | undefined)[] = [
  undefined,
  "",
  "x",
  " tools/call",
  "tools/call, tools/call",
  "2026-07-28",
  "*/*",
  "text/html",
];

export const badMessages: readonly SentMessage[] = spoilt.flatMap((message) => [
  ...spoilBody(JSON.parse(message.body) as object).map(([how, body]) => ({
    ...message,
    name: `${message.name}: ${how}`,
    body: JSON.stringify(body),
  })),
  ...spoilHeaders(message),
]);

/** The value with one place changed, for every place. */
function* spoilEach(value: unknown, path: string): Generator<readonly [string, unknown]> {
  if (path !== "") for (const wrong of wrongValues) yield [`${path} = ${JSON.stringify(wrong)}`, wrong];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  const object = value as Record<string, unknown>;
  for (const key of Object.keys(object)) {
    const { [key]: _, ...rest } = object;
    yield [`${path}/${key} left out`, rest];
    yield [`${path}/${key} in capitals`, { ...rest, [key.toUpperCase()]: object[key] }];
    for (const [how, changed] of spoilEach(object[key], `${path}/${key}`)) yield [how, { ...object, [key]: changed }];
  }
  for (const [key, added] of addedKeys)
    if (!(key in object)) yield [`${path}/${key} added`, { ...object, [key]: added }];
}

function spoilBody(body: object): readonly (readonly [string, unknown])[] {
  return [...spoilEach(body, "")];
}

function spoilHeaders(message: SentMessage): readonly SentMessage[] {
  const names = ["Accept", "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"];
  return names.flatMap((name) =>
    wrongHeaders.map((value) => {
      const { [name]: right, ...rest } = message.headers;
      const headers = value === undefined ? rest : { ...rest, [name]: value };
      return {
        ...message,
        headers: right === undefined && value === undefined ? message.headers : headers,
        name: `${message.name}: ${name}: ${value}`,
      };
    }),
  );
}
