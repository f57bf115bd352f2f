import { existsSync, readFileSync } from "node:fs";
import { CommandError } from "../../base/usage.ts";
import type { JudgedFinding } from "../exceptions.ts";
import { showAtRef } from "./git.ts";
import { readExceptions } from "./read-exceptions.ts";

/** Holds the builds of `tenon dev` against the contract that is committed. */
export interface ContractWatch {
  /** Called before a build writes the definition: without a repository, the file as it was is the contract. */
  begin(file: string | undefined): void;
  /** One line about a definition that breaks callers, unless the build before broke them alike. */
  judge(definition: string): Promise<string | undefined>;
}

/** Creates the watch of one `tenon dev`. */
export function watchContract(root: string): ContractWatch {
  let file: string | undefined;
  let atStart: string | undefined;
  let judged: string | undefined;
  let told = "";

  async function findings(definition: string): Promise<readonly JudgedFinding[]> {
    // Loaded behind the first build, which starts the service.
    const [{ compareContracts }, { parseContract }, { applyExceptions, fails }] = await Promise.all([
      import("../compare-contracts.ts"),
      import("../parse-contract.ts"),
      import("../exceptions.ts"),
    ]);
    const before = file === undefined ? undefined : (committed(file) ?? atStart);
    const [old, now] = [before, definition].map((text) => (text === undefined ? "absent" : parseContract(text)));
    if (old === undefined || now === undefined || typeof old === "string" || typeof now === "string") return [];
    const today = new Date().toISOString().slice(0, 10);
    return applyExceptions(compareContracts(old, now), readExceptions(root), today).findings.filter(fails);
  }

  return {
    begin(path) {
      if (path === undefined || path === file) return;
      file = path;
      atStart = existsSync(path) ? readFileSync(path, "utf8") : undefined;
    },
    async judge(definition) {
      if (definition === judged) return undefined;
      judged = definition;
      let line: string;
      try {
        line = lineOf(await findings(definition));
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        line = error.message;
      }
      const isNews = line !== told;
      told = line;
      return isNews && line !== "" ? line : undefined;
    },
  };
}

function committed(file: string): string | undefined {
  try {
    return showAtRef("HEAD", file);
  } catch {
    // There is no repository, or no commit yet.
    return undefined;
  }
}

function lineOf(failed: readonly JudgedFinding[]): string {
  const [first, ...others] = failed;
  if (first === undefined) return "";
  const more = others.length === 0 ? "" : `, and ${others.length} more`;
  return `This breaks the committed contract: ${first.tool} ${first.place} ${first.message}${more}. \`tenon check --against HEAD\` tells all.`;
}
