import * as z from "zod";
import { zodToJsonSchema } from "zod-to-json-schema";
import { openContracts } from "./contracts.ts";
import { partsOf, type RouteParts } from "./route-parts.ts";

/** A tool as its library registers it. */
export interface RecordedTool {
  /** Name of the tool, or the file and the route. */
  readonly name: string;
  /** JSON Schema of the request. */
  readonly request: object;
}

/** Records tools that are registered by the methods of the MCP SDK and FastMCP. */
export interface Recorder {
  readonly tools: ReadonlyMap<string, RecordedTool>;
  readonly methods: Readonly<Record<string, (...given: readonly unknown[]) => void>>;
  add(name: unknown, schema: unknown): void;
  /** Sets the file to which the following routes belong. */
  enter(file: string): void;
  /** Records the endpoints of a contract of ts-rest, and returns it. Those of inner contracts then belong to it. */
  addContract(contract: object, options?: { readonly pathPrefix?: string }): object;
  /** Adds the endpoints of the outermost contracts to the tools. Their names are method and path. */
  finish(): void;
}

/** Opens a list of tools. */
export function openRecorder(): Recorder {
  const tools = new Map<string, RecordedTool>();
  function add(name: unknown, schema: unknown): void {
    if (typeof name !== "string" || tools.has(name)) return;
    tools.set(name, { name, request: schema === undefined ? { type: "object" } : jsonSchema(schema) });
  }
  const addFast = (tool: unknown): void => {
    const { name, parameters } = tool as { readonly name?: unknown; readonly parameters?: unknown };
    add(name, parameters);
  };
  let file = "";
  const addRoute = (method: string, path: unknown, parts: RouteParts): void => {
    const name = `${file} ${method.toUpperCase()} ${String(path)}`;
    if (typeof path === "string" && !tools.has(name)) tools.set(name, { name, request: routeSchema(path, parts) });
  };
  const route =
    (method: string) =>
    (path: unknown, ...rest: readonly unknown[]): void => {
      const parts = partsOf(rest);
      if (parts !== undefined) addRoute(method, path, parts);
    };
  const contracts = openContracts();
  return {
    tools,
    add,
    addContract: contracts.add,
    finish: () => {
      for (const { method, path, pathParams, query, body } of contracts.endpoints) {
        const name = `${method.toUpperCase()} ${path}`;
        const [params, search, sent] = [pathParams, query, body].map((one) => (isZod(one) ? one : undefined));
        const parts = { params, query: search, body: sent };
        if (!tools.has(name)) tools.set(name, { name, request: routeSchema(path, parts) });
      }
    },
    enter: (next) => void (file = next),
    methods: {
      registerTool: (name, config) =>
        add(name, (config as { readonly inputSchema?: unknown } | undefined)?.inputSchema),
      tool: (name, ...rest) =>
        add(
          name,
          rest.find((one) => typeof one === "object" && one !== null && isSchema(one)),
        ),
      addTool: addFast,
      ...Object.fromEntries(["get", "post", "put", "patch", "delete"].map((method) => [method, route(method)])),
      route: (options) => {
        const { method, url } = (options ?? {}) as { readonly method?: unknown; readonly url?: unknown };
        const parts = partsOf([options]);
        if (typeof method === "string" && parts !== undefined) addRoute(method, url, parts);
      },
      openapi: (given) => {
        const { method = "", path, request = {} } = given as OpenApiRoute;
        const content = request.body?.content ?? {};
        const body = (content["application/json"] ?? content["multipart/form-data"])?.schema;
        addRoute(method, path, { params: request.params, query: request.query, body });
      },
      addTools: (list) => (list as readonly unknown[]).forEach(addFast),
    },
  };
}

function isZod(value: unknown): boolean {
  return typeof value === "object" && value !== null && ("_zod" in value || "_def" in value);
}

function isSchema(value: object): boolean {
  return isZod(value) || Object.values(value).every(isZod);
}

/** The JSON Schema of a schema of zod 3 or 4, or of an object whose values are schemas. */
export function jsonSchema(schema: unknown): object {
  if (!isZod(schema)) {
    const fields = Object.entries(schema as Readonly<Record<string, { isOptional(): boolean }>>);
    const required = fields.filter(([, field]) => !field.isOptional()).map(([key]) => key);
    const properties = Object.fromEntries(fields.map(([key, field]) => [key, jsonSchema(field)]));
    return { type: "object", properties, ...(required.length > 0 && { required }) };
  }
  if ("_zod" in (schema as object)) return z.toJSONSchema(schema as z.ZodType, { io: "input", unrepresentable: "any" });
  return zodToJsonSchema(schema as never, { strictUnions: true, pipeStrategy: "input", $refStrategy: "none" });
}

interface OpenApiRoute {
  readonly method?: string;
  readonly path?: string;
  readonly request?: {
    readonly params?: unknown;
    readonly query?: unknown;
    readonly body?: { readonly content?: Readonly<Record<string, { readonly schema?: unknown }>> };
  };
}

/** The request of a route as one object: fields of the path, the query and the body; a body of another kind is one. */
function routeSchema(path: string, { params, query, body }: RouteParts): object {
  const properties: Record<string, unknown> = {};
  const required = new Set<string>();
  const $defs = {};
  for (const [, name = ""] of path.matchAll(/(?::|\{)(\w+)/g)) {
    properties[name] = { type: "string" };
    required.add(name);
  }
  for (const [part, given] of [
    ["body", body],
    ["query", query],
    ["params", params],
  ] as const) {
    if (given === undefined) continue;
    const schema = jsonSchema(given) as {
      readonly type?: string;
      readonly properties?: object;
      readonly required?: string[];
      readonly $defs?: object;
    };
    Object.assign($defs, schema.$defs);
    if (schema.type === "object" && schema.properties !== undefined) {
      Object.assign(properties, schema.properties);
      for (const name of schema.required ?? []) required.add(name);
    } else if (part === "body") {
      properties["body"] = schema;
      required.add("body");
    }
  }
  return { type: "object", properties, required: [...required], $defs };
}
