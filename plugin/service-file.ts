import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { ServiceDefinition } from "../runtime/contract.ts";

/** The service definition as it is committed. */
export interface ServiceFile {
  /** Absolute. */
  readonly file: string;
  readonly text: string;
  readonly definition: ServiceDefinition;
}

/** Writes the definition when it differs from what is there, so that watchers see no change where none is. */
export function writeServiceFile({ file, text }: ServiceFile): void {
  if (existsSync(file) && readFileSync(file, "utf8") === text) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
