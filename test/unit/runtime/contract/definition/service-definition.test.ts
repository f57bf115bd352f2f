import { describe, expect, test } from "vitest";
import type { ToolDefinition } from "../../../../../runtime/contract/contract.ts";
import { describeService } from "../../../../../runtime/contract/definition/service-definition.ts";
import { stableJson } from "../../../../../runtime/contract/definition/stable-json.ts";
import { describeToolForPlatform } from "../../../../../runtime/contract/definition/tool-description.ts";
import { toolPath } from "../../../../../runtime/contract/definition/tool-path.ts";

const tool: ToolDefinition = {
  name: "isPrime",
  title: "Prime test",
  description: "Tests whether a number is prime.",
  signature: "isPrime(number: number): PrimeResult",
  source: "src/is-prime.ts:3",
  annotations: { readOnlyHint: true },
  request: { urn: "urn:r:1", schema: { type: "object", properties: { number: { type: "integer" } } } },
  result: { kind: "json", urn: "urn:p:1", schema: { type: "object" } },
  mcp: { inputSchema: { type: "object" } },
  examples: [{ request: { number: 7 } }],
};
const other: ToolDefinition = { ...tool, name: "other" };

describe("describeService", () => {
  test("has placeholders where the environment decides, and a fixed order of keys", () => {
    expect(
      stableJson(
        describeService({ service: { name: "Prime numbers", version: "1.2.3" }, tools: [tool], flavour: "lambda" }),
      ),
    ).toBe(`{
  "$schema": "urn:platform:schema.service.2",
  "$id": "#SERVICE_ID#",
  "name": "Prime numbers",
  "version": "1.2.3",
  "description": "Tests whether a number is prime.",
  "instructions": "- isPrime: Tests whether a number is prime.",
  "parameters": [],
  "policy": "urn:platform:policy:platform.open.service",
  "request-schema": {
    "type": "object",
    "properties": {
      "number": {
        "type": "integer"
      }
    }
  },
  "result-schema": {
    "type": "object"
  },
  "tools": [
    {
      "name": "isPrime",
      "path": "/tool",
      "title": "Prime test",
      "description": "Tests whether a number is prime.",
      "request-schema": {
        "type": "object",
        "properties": {
          "number": {
            "type": "integer"
          }
        }
      },
      "result-schema": {
        "type": "object"
      },
      "annotations": {
        "readOnlyHint": true
      },
      "examples": [
        {
          "request": {
            "number": 7
          }
        }
      ]
    }
  ],
  "controller-schema": "urn:platform:schema.service.rest.1",
  "controller": {
    "$schema": "urn:platform:schema.service.rest.1",
    "image": "#DOCKER_IMG#",
    "command": [
      "#ENTRYPOINT#"
    ],
    "resources": {
      "limits": {
        "cpu": "500m",
        "memory": "1Gi"
      },
      "requests": {
        "cpu": "500m",
        "memory": "1Gi"
      }
    },
    "path": "/tool",
    "port": 8090
  }
}
`);
  });

  test("takes everything from the deployment", () => {
    const definition = describeService({
      service: {
        name: "Prime numbers",
        description: "All about primes.",
        contact: { name: "A", email: "a@b.de" },
        license: { name: "MIT", url: "https://x.org" },
      },
      tools: [tool],
      flavour: "batch",
      deployment: {
        serviceId: "urn:s",
        serviceName: "primes",
        policy: "urn:policy",
        image: "img",
        command: ["node"],
        resources: { limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "1", memory: "1Gi" } },
        port: 9000,
      },
    });
    expect(definition).toMatchObject({
      $id: "urn:s",
      name: "primes",
      version: "0.0.0",
      description: "All about primes.",
      policy: "urn:policy",
    });
    expect(Object.keys(definition)).toEqual([
      "$schema",
      "$id",
      "name",
      "version",
      "description",
      "parameters",
      "contact",
      "license",
      "policy",
      "request-schema",
      "result-schema",
      "tools",
      "controller-schema",
      "controller",
    ]);
    expect(definition.controller).toEqual({
      $schema: "urn:platform:schema.service.batch.1",
      image: "img",
      command: ["node"],
      resources: { limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "1", memory: "1Gi" } },
    });
    expect(definition.license).toEqual({ name: "MIT", url: "https://x.org" });
  });

  test("several tools: no schemas at the root, and the path that they share", () => {
    const definition = describeService({ service: { name: "x" }, tools: [tool, other], flavour: "lambda" });
    expect(definition["request-schema"]).toBeUndefined();
    expect(definition.description).toBe("");
    expect(definition.tools.map(({ path }) => path)).toEqual(["/tool/isPrime", "/tool/other"]);
    expect(definition.controller.path).toBe("/tool");
    const apart = describeService({
      service: { name: "x" },
      tools: [
        { ...tool, path: "/a/x" },
        { ...other, path: "/ab/x" },
      ],
      flavour: "lambda",
    });
    expect(apart.controller).not.toHaveProperty("path");
    expect(describeService({ service: { name: "x" }, tools: [], flavour: "lambda" }).controller).not.toHaveProperty(
      "path",
    );
  });
});

test("toolPath", () => {
  expect(toolPath({ name: "f" }, 1)).toBe("/tool");
  expect(toolPath({ name: "f" }, 2)).toBe("/tool/f");
  expect(toolPath({ name: "f", path: "/x" }, 2)).toBe("/x");
  expect(toolPath({ name: "f", options: { path: "y/z" } }, 1)).toBe("/y/z");
  expect(toolPath({ name: "f", path: "/x", options: { path: "/y" } }, 1)).toBe("/x");
});

describe("describeToolForPlatform", () => {
  test("has the keys that the platform reads", () => {
    expect(describeToolForPlatform(tool)).toEqual({
      $schema: "urn:platform:schema.tool.1",
      id: "urn:platform:tool.isPrime",
      name: "isPrime",
      "service-id": "#SERVICE_ID#",
      description: "Tests whether a number is prime.",
      fn_signature: "isPrime(number: number): PrimeResult",
      fn_schema: { type: "object", properties: { number: { type: "integer" } } },
      result_schema: { type: "object" },
      annotations: { readOnlyHint: true },
    });
  });

  test("names the service", () => {
    const id = (options: object): string => describeToolForPlatform(tool, options)["service-id"];
    expect(id({ platformServiceId: "urn:a" })).toBe("urn:a");
    expect(id({ platformServiceId: "urn:a", serviceId: "urn:b" })).toBe("urn:b");
    expect(id({ serviceId: "/b", publicUrl: "https://x.org" })).toBe("https://x.org/b");
  });

  test("a tool without data takes an object", () => {
    const { request: _request, ...bare } = tool;
    expect(describeToolForPlatform({ ...bare, result: { kind: "none" } })).toMatchObject({
      fn_schema: { type: "object" },
    });
    expect(describeToolForPlatform({ ...bare, result: { kind: "none" } })).not.toHaveProperty("result_schema");
  });
});
