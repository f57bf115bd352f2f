import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { link, tsconfig } from "./make-project.ts";

/** A type that a tool takes. */
export interface TypeCase {
  readonly name: string;
  /** Import of the type, or its declarations. */
  readonly importing: string;
  readonly type: string;
}

/** The largest types of packages of `bench/package.json`. */
export const typeCases: readonly TypeCase[] = [
  { name: "schema-dts, Person", importing: 'import type { Person } from "schema-dts";', type: "Person" },
  {
    name: "schema-dts, WithContext<Product>",
    importing: 'import type { Product, WithContext } from "schema-dts";',
    type: "WithContext<Product>",
  },
  {
    name: "@octokit/openapi-types, all schemas",
    importing: 'import type { components } from "@octokit/openapi-types";',
    type: 'components["schemas"]',
  },
  { name: "stripe, Stripe.Event", importing: 'import type Stripe from "stripe";', type: "Stripe.Event" },
  {
    name: "@notionhq/client, CreatePageParameters",
    importing: 'import type { CreatePageParameters } from "@notionhq/client";',
    type: "CreatePageParameters",
  },
  {
    name: "vega-lite, TopLevelSpec",
    importing: 'import type { TopLevelSpec } from "vega-lite";',
    type: "TopLevelSpec",
  },
  {
    name: "@slack/types, MessageEvent",
    importing: 'import type { MessageEvent } from "@slack/types";',
    type: "MessageEvent",
  },
  {
    name: "openai, Response",
    importing: 'import type { Response } from "openai/resources/responses/responses";',
    type: "Response",
  },
  { name: "grammy, Update", importing: 'import type { Update } from "grammy/types";', type: "Update" },
  { name: "kubernetes-types, Pod", importing: 'import type { Pod } from "kubernetes-types/core/v1.js";', type: "Pod" },
  { name: "@types/estree, Program", importing: 'import type { Program } from "estree";', type: "Program" },
];

const packages = resolve(import.meta.dirname, "node_modules");
/** Writes a project whose one tool takes the type. For typia, it asks for parser and schemas instead. */
export function makeTypeProject(folder: string, { importing, type }: TypeCase, isTypia: boolean): void {
  mkdirSync(join(folder, "src"), { recursive: true });
  const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);
  write("package.json", '{ "name": "bench-types", "version": "1.0.0", "private": true, "type": "module" }\n');
  write("tsconfig.json", tsconfig);
  const request = `/** @schema urn:bench:schema.large.1 */
export interface LargeRequest {
  /** The value. */
  value: ${type};
}
`;
  const tool = `/** Takes a value. @tool */
export function take(request: LargeRequest): void {
  void request;
}
`;
  const asked = `export const parse = typia.json.createValidateParse<LargeRequest>();
export const schemas = typia.json.schemas<[LargeRequest], "3.1">();
`;
  write(
    "src/service.ts",
    `${isTypia ? 'import typia from "typia";\n' : ""}${importing}\n\n${request}\n${isTypia ? asked : tool}`,
  );
  const [, specifier] = /from "(.*)"/.exec(importing) ?? [];
  const install = (target: string, name: string): void => link(target, join(folder, "node_modules", name));
  install(resolve(import.meta.dirname, ".."), "tenon");
  install(join(packages, "@types/node"), "@types/node");
  if (specifier !== undefined) {
    const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
    const installed = name === "estree" ? "@types/estree" : name;
    install(join(packages, installed), installed);
  }
  if (isTypia) install(join(packages, "typia"), "typia");
}
