import { realpathSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, resolve } from "node:path";
import { readText } from "../read/base/read-text.ts";
import { findSource, relevantCode } from "./find-tool-files.ts";
import { installedAt } from "./optional-peer.ts";
import { ownSpecifier } from "./own-module.ts";

/**
 * Part of an output that is tenon's. `service`: everything, in an entry that starts a service. `tools`: a part, as in
 * an application that serves tools. `other`: nothing.
 */
export type EntryKind = "service" | "tools" | "other";

/** The kinds of the entries of a build. */
export interface EntryKinds {
  /** True if each entry starts a service, so that tenon chooses the form of the outputs. */
  readonly allServices: boolean;
  /** True if an entry has no tools, so that options of the whole build are left alone. */
  readonly someOther: boolean;
  /** True if no entry has tools. */
  readonly allOther: boolean;
}

/** Reads the files of entries, and the imports of those that do not start a service. */
export function entryKinds(files: readonly string[]): EntryKinds {
  const kinds = files.map(entryKind);
  const all = (wanted: EntryKind): boolean => kinds.length > 0 && kinds.every((kind) => kind === wanted);
  return { allServices: all("service"), someOther: kinds.includes("other"), allOther: all("other") };
}

/**
 * Sorts entries by what they tell about the project, as authors give them in any order: those that start a service come
 * first, those without tools last.
 */
export function serviceFirst(files: readonly string[]): readonly string[] {
  if (files.length < 2) return files;
  const order: readonly EntryKind[] = ["service", "tools", "other"];
  const ranks = new Map(files.map((file) => [file, order.indexOf(entryKind(file))]));
  return files.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
}

/**
 * Returns the kind of one entry, by its absolute path. An entry that is not a file is made by a plugin, and may have
 * tools.
 */
export function entryKind(entry: string): EntryKind {
  const file = findSource(entry);
  if (file === undefined) return "tools";
  if (/\b(?:start(?:LambdaServer|BatchService)|runMcpStdio)\s*\(/.test(readText(file) ?? "")) return "service";
  return mayReachTools(file) ? "tools" : "other";
}

const imports = /\b(?:from|import|require)\s*\(?\s*["']([^"'\n]+)["']/g;

/**
 * True if imports of an entry may lead to tools. Also true if an import cannot be resolved here, because only the
 * bundler can resolve it: an alias, or a package of the workspace.
 */
function mayReachTools(entry: string): boolean {
  const files = new Set([entry]);
  for (const file of files) {
    const text = readText(file) ?? "";
    if (relevantCode.test(text)) return true;
    for (const [, specifier = ""] of text.matchAll(imports)) {
      if (ownSpecifier.test(specifier)) return true;
      if (/^\.{1,2}(?:\/|$)/.test(specifier)) {
        const found = findSource(resolve(dirname(file), specifier));
        if (found !== undefined) files.add(found);
      } else if (!isBuiltin(specifier) && !isOfRegistry(specifier, dirname(file))) return true;
    }
  }
  return false;
}

function isOfRegistry(specifier: string, folder: string): boolean {
  const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  const installed = installedAt(folder, name);
  return installed !== undefined && /[\\/]node_modules[\\/]/.test(realpathSync(installed));
}
