import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { existingEntry } from "../../compile/config.ts";
import { startsService } from "../../packages/find-tool-files.ts";
import type { Packages } from "../../packages/packages.ts";

/** Part of Vite's dev server that prints its addresses. */
interface PrintingServer {
  readonly config: {
    readonly root: string;
    readonly logger: { info(line: string): void };
  };
  printUrls(): void;
}

/**
 * Prints the command that serves the tools below the addresses of Vite's dev server, which serves none of them. Servers
 * without printed addresses, as vitest's, print nothing. So does a project without an entry of a service.
 */
export function addToolsLine(server: PrintingServer, packages: Pick<Packages, "rootOf">): void {
  const { root, logger } = server.config;
  const printUrls = server.printUrls.bind(server);
  server.printUrls = () => {
    printUrls();
    if (hasService(packages.rootOf(resolve(root, "index.html")) ?? root))
      logger.info("  ➜  Tools:   `npx tenon dev` serves the tools of this project");
  };
}

/** True for a package with the entry that `tenon dev` takes by default. */
function hasService(root: string): boolean {
  try {
    const entry = existingEntry(root);
    return entry !== undefined && startsService(readFileSync(entry, "utf8"));
  } catch {
    // The commands and the build report wrong options; a line in addition need not.
    return false;
  }
}
