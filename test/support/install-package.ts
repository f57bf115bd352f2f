import { cpSync, existsSync, linkSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";

/**
 * Installs the packed package into a folder, as hard links: a copy takes twenty times as long. Nobody may write into
 * its files. Each worker links a copy of its own, since watchers hear of every link to a file that comes or goes.
 */
export function installPackage(folder: string): void {
  const packed = inject("packedPackage");
  const own = `${packed}-${process.pid}`;
  if (!existsSync(own)) cpSync(packed, own, { recursive: true });
  linkTree(own, folder);
}

function linkTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkTree(source, target);
    else linkSync(source, target);
  }
}
