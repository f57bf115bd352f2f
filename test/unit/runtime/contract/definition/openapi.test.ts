import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { emitTool } from "../../../../../plugin/emit/tool-module.ts";
import type { FieldModel, TypeModel } from "../../../../../plugin/model/type.ts";
import type { JsonObject, ToolDefinition } from "../../../../../runtime/contract/contract.ts";
import { componentSchemas } from "../../../../../runtime/contract/definition/openapi-components.ts";
import { openApiDocument } from "../../../../../runtime/contract/definition/openapi.ts";
import { toolModel } from "../../../plugin/emit/load-tool.ts";

const node: TypeModel = {
  kind: "object",
  fields: [
    { key: "next", type: { kind: "ref", name: "Node" }, optional: true },
    { key: "$ref", type: { kind: "string" }, optional: true },
  ],
};
const field = (type: TypeModel): TypeModel => ({ kind: "object", fields: [{ key: "value", type }] });

function definition(
  name: string,
  types: Record<string, TypeModel>,
  request: TypeModel = field({ kind: "ref", name: Object.keys(types)[0] ?? "" }),
): ToolDefinition {
  return emitTool(
    toolModel({
      name,
      request: { type: request },
      result: { kind: "json", type: request },
      definitions: types,
      title: name,
      examples: [{ title: "one", request: { value: {} } }],
    }),
  ).definition;
}

const tools = [
  { definition: definition("first", { Node: node }), path: "/tool/first", tags: ["lists"] },
  { definition: { ...definition("second", { Node: node }), category: "More" }, path: "/tool/second" },
  { definition: definition("third", { Node: field({ kind: "number" }) }), path: "/custom" },
  { definition: definition("fourth", { Problem: field({ kind: "number" }) }), path: "/tool/fourth" },
];
const document = openApiDocument({
  service: { name: "Lists", version: "1.0.0", description: "All lists.", contact: { name: "A", email: "a@b.de" } },
  tools,
});

type Doc = {
  paths: Record<string, Record<string, JsonObject>>;
  components: { schemas: Record<string, JsonObject> };
} & JsonObject;
const { paths, components } = document as unknown as Doc;

describe("openApiDocument", () => {
  test("has all routes", () => {
    expect(
      Object.entries(paths).flatMap(([path, item]) =>
        Object.keys(item)
          .filter((key) => key !== "parameters")
          .map((method) => `${method} ${path}`),
      ),
    ).toEqual([
      "post /tool/first",
      "get /tool/first",
      "get /tool/first/jobs/{id}",
      "post /tool/second",
      "get /tool/second",
      "get /tool/second/jobs/{id}",
      "post /custom",
      "get /custom",
      "get /custom/jobs/{id}",
      "post /tool/fourth",
      "get /tool/fourth",
      "get /tool/fourth/jobs/{id}",
      "get /tool",
      "get /jobs/{id}",
      "delete /jobs/{id}",
      "get /jobs/{id}/events",
      "get /jobs",
      "get /queue",
      "get /healthz",
      "get /_healtz",
      "get /readyz",
      "get /openapi.json",
      "get /service.json",
      "get /docs",
    ]);
  });

  test("names every operation once", () => {
    const names = Object.values(paths).flatMap((item) =>
      Object.values(item).flatMap((operation) => operation["operationId"] ?? []),
    );
    expect(new Set(names).size).toBe(names.length);
    expect([paths["/tool/second"]?.["get"]?.["tags"], paths["/custom"]?.["get"]?.["tags"]]).toEqual([
      ["More"],
      ["Tools"],
    ]);
    expect(paths["/tool/first"]?.["post"]).toMatchObject({ operationId: "first", tags: ["lists"], summary: "first" });
    expect(paths["/tool/second"]?.["post"]).toMatchObject({ operationId: "second" });
  });

  test("every reference leads somewhere, and none into `$defs`", () => {
    const refs: string[] = [];
    JSON.stringify(document, (key, value: unknown) => {
      if (key === "$ref" && typeof value === "string") refs.push(value);
      return value;
    });
    expect(refs.length).toBeGreaterThan(50);
    for (const ref of new Set(refs)) {
      expect(ref).toMatch(/^#\/components\//);
      const target = ref
        .slice(2)
        .split("/")
        .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document);
      expect([ref, typeof target]).toEqual([ref, "object"]);
    }
    expect(JSON.stringify(document)).not.toContain("$defs");
  });

  test("shares equal definitions, keeps different ones of a name apart, and takes no name of its own away", () => {
    expect(Object.keys(components.schemas)).toEqual([
      "Problem",
      "InputProblem",
      "DeferredJob",
      "ToolDescription",
      "Node",
      "FirstRequest",
      "FirstResult",
      // The operation has another name than the tool.
      "SecondRequest",
      "SecondResult",
      "Node_2",
      "ThirdRequest",
      "ThirdResult",
      "Problem_2",
      "FourthRequest",
      "FourthResult",
    ]);
    expect(components.schemas["Node"]?.["properties"]).toEqual({
      next: { $ref: "#/components/schemas/Node" },
      $ref: { type: "string" },
    });
    for (const name of Object.keys(components.schemas)) expect(name).toMatch(/^[a-zA-Z0-9._-]+$/);
  });

  test("objects that a field tells apart are components behind a discriminator, also beside null", () => {
    const member = (kind: string): TypeModel => ({
      kind: "object",
      fields: [{ key: "kind", type: { kind: "literal", value: kind } }],
    });
    const members = [{ kind: "ref", name: "Circle" }, member("big square")] as const;
    const shape: TypeModel = { kind: "union", members: [...members, { kind: "literal", value: null }] };
    const one = definition("draw", { Circle: member("circle") }, field(shape));
    const doc = openApiDocument({ service: { name: "x" }, tools: [{ definition: one, path: "/tool" }] });
    const { schemas } = (doc as unknown as Doc).components;
    const refs = ["Circle", "DrawRequestValueBigSquare"].map((name) => `#/components/schemas/${name}`);
    expect(schemas["DrawRequest"]?.["properties"]).toEqual({
      value: {
        anyOf: [
          {
            oneOf: refs.map(($ref) => ({ $ref })),
            discriminator: { propertyName: "kind", mapping: { circle: refs[0], "big square": refs[1] } },
          },
          { type: "null" },
        ],
      },
    });
    expect(schemas["DrawRequestValueBigSquare"]).toMatchObject({ properties: { kind: { const: "big square" } } });
  });

  test("types without a letter of ASCII in their names are all there", () => {
    const named = (name: string): FieldModel => ({ key: name, type: { kind: "ref", name } });
    const one = { Адрес: field({ kind: "string" }) };
    const two = { Человек: field({ kind: "number" }), Дом: field({ kind: "boolean" }) };
    const made = openApiDocument({
      service: { name: "x" },
      tools: [one, two].map((types, index) => ({
        definition: definition(`tool-${index}`, types, { kind: "object", fields: Object.keys(types).map(named) }),
        path: `/tool/${index}`,
      })),
    }) as unknown as Doc;
    const leadsTo = (schema: string, key: string): unknown => {
      const properties = made.components.schemas[schema]?.["properties"] as Record<string, JsonObject> | undefined;
      const $ref = properties?.[key]?.["$ref"];
      return made.components.schemas[String($ref).replace("#/components/schemas/", "")]?.["properties"];
    };
    expect([
      leadsTo("Tool0Request", "Адрес"),
      leadsTo("Tool1Request", "Человек"),
      leadsTo("Tool1Request", "Дом"),
      leadsTo("Tool1Result", "Человек"),
    ]).toEqual(["string", "number", "boolean", "number"].map((type) => ({ value: { type } })));
  });

  test("every schema is one of JSON Schema 2020-12", () => {
    const ajv = new Ajv2020({ strict: false, formats: { "date-time": true, uri: true } });
    ajv.addSchema({ $id: "https://example.org/doc", components: { schemas: components.schemas } } as object);
    for (const name of Object.keys(components.schemas))
      expect(() => ajv.compile({ $ref: `https://example.org/doc#/components/schemas/${name}` })).not.toThrow();
    for (const schema of Object.values(components.schemas)) expect(ajv.validateSchema(schema as object)).toBe(true);
  });

  test("says how results travel", () => {
    const content = (kind: "text" | "bytes" | "binary" | "none", type?: TypeModel): unknown => {
      const { definition: one } = {
        definition: emitTool(toolModel({ result: { kind, ...(type !== undefined && { type }) } })).definition,
      };
      const doc = openApiDocument({
        service: { name: "x" },
        tools: [{ definition: one, path: "/tool" }],
        deferredStatus: 204,
      }) as unknown as Doc;
      const responses = doc.paths["/tool"]?.["post"]?.["responses"] as Record<string, JsonObject>;
      expect(Object.keys(responses)).toEqual([
        "200",
        "204",
        "400",
        "403",
        "409",
        "413",
        "415",
        "422",
        "500",
        "503",
        "504",
      ]);
      expect(doc.paths["/tool"]?.["post"]).not.toHaveProperty("requestBody");
      return responses["200"]?.["content"];
    };
    expect(content("text", { kind: "string" })).toMatchObject({ "text/plain": { schema: { type: "string" } } });
    expect(content("bytes")).toEqual({ "application/octet-stream": {} });
    expect(content("binary")).toEqual({ "*/*": {} });
    expect(content("none")).toEqual({ "application/json": { schema: { type: "null" } } });
  });
});

test("messages of durable tools have routes with their schemas, and jobs their history and a new run", () => {
  const schema = {
    type: "object",
    properties: { next: { $ref: "#/$defs/Node" } },
    $defs: { Node: { type: "object" } },
  };
  const [first] = tools;
  if (first === undefined) throw new Error("no tool");
  const waits = [{ name: "approval", keyed: true as const, schema }, { name: "any" }];
  const durable = { ...first, definition: { ...first.definition, durable: true as const, waits } };
  const made = openApiDocument({ service: { name: "Orders" }, tools: [durable] }) as unknown as Doc;
  const messages = made.paths["/jobs/{id}/messages/approval"]?.["post"] as JsonObject;
  expect(messages["requestBody"]).toMatchObject({
    content: { "application/json": { schema: { $ref: "#/components/schemas/FirstApprovalMessageRequest" } } },
  });
  expect(JSON.stringify(made.components.schemas["FirstApprovalMessageRequest"])).toMatch(/components\/schemas\/Node/);
  expect(Object.keys(made.paths)).toEqual(
    expect.arrayContaining(["/jobs/{id}/messages/any", "/jobs/{id}/history", "/jobs/{id}/fork"]),
  );
  expect(paths).not.toHaveProperty("/jobs/{id}/history");
});

test("types of one name are one component, whatever other types their tools have", () => {
  const user = field({ kind: "string" });
  const both: TypeModel = {
    kind: "object",
    fields: ["User", "Order"].map((name) => ({ key: name, type: { kind: "ref", name } })),
  };
  const types = { User: user, Order: field({ kind: "ref", name: "User" }) };
  const { schemas } = componentSchemas([
    { definition: definition("one", { User: user }), name: "one" },
    { definition: definition("two", types, both), name: "two" },
  ]);
  expect(Object.keys(schemas)).toEqual(["User", "OneRequest", "OneResult", "Order", "TwoRequest", "TwoResult"]);
});

test("a tool called `service` leaves the operations of the service their names", () => {
  const { paths } = openApiDocument({
    service: { name: "Lists" },
    tools: ["service", "tool.service", "service.jobs"].map((name) => ({
      definition: definition(name, { Node: node }),
      path: `/tool/${name}`,
    })),
  }) as unknown as Doc;
  const names = Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap((operation) => operation["operationId"] ?? []),
  );
  expect(new Set(names).size).toBe(names.length);
});
