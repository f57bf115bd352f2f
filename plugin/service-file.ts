import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { ServiceDefinition } from "../runtime/contract.ts";
import { dockerfileEntrypoint } from "../runtime/definition/dockerfile.ts";
import { parseResources, type Resources } from "../runtime/definition/resources.ts";
import { describeService } from "../runtime/definition/service-definition.ts";
import { stableJson } from "../runtime/definition/stable-json.ts";
import type { Diagnostic } from "./diagnostics/diagnostic.ts";
import type { LinkedModules, LinkedService } from "./link.ts";
import type { TenonOptions } from "./options.ts";
import { readPackageJson } from "./packages.ts";

/** The service definition as it is committed. */
export interface ServiceFile {
  /** Absolute. */
  readonly file: string;
  readonly text: string;
  readonly definition: ServiceDefinition;
}

/**
 * Makes the committed definition of a service. It takes nothing from the environment: only the code, and package.json,
 * `resources.json` and `Dockerfile` in the package's folder.
 */
export function makeServiceFile(
  service: LinkedService,
  tools: LinkedModules["definitions"],
  root: string,
  options: TenonOptions,
): ServiceFile | Diagnostic {
  const resources = readResources(root);
  if (resources !== undefined && "code" in resources) return resources;
  const command = dockerfileEntrypoint(readText(join(root, "Dockerfile")) ?? "");
  const { version } = readPackageJson(root);
  const { file: _file, position: _position, flavour, ...texts } = service;
  const definition = describeService({
    service: { ...(typeof version === "string" && { version }), ...texts },
    tools,
    flavour,
    deployment: { ...(command && { command }), ...(resources && { resources }) },
  });
  return { file: resolve(root, options.service || "service.json"), text: stableJson(definition), definition };
}

/** Writes the definition when it differs from what is there, so that watchers see no change where none is. */
export function writeServiceFile({ file, text }: ServiceFile): void {
  if (existsSync(file) && readFileSync(file, "utf8") === text) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function readResources(root: string): Resources | Diagnostic | undefined {
  const text = readText(join(root, "resources.json"));
  if (text === undefined) return undefined;
  const read = parseResources(text);
  if ("resources" in read) return read.resources;
  return { code: "TN407", level: "error", message: `The file cannot be used: ${read.error}.`, file: "resources.json" };
}

function readText(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}
