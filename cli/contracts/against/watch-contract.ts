import { existsSync, readFileSync } from "node:fs";
import { CommandError } from "../../base/usage.ts";
import type { JudgedFinding } from "../exceptions.ts";
import type { CommittedFile } from "./committed-contract.ts";

/** Compares the builds of `tenon dev` with the committed contract. */
export interface ContractWatch {
  /**
   * Called before a build writes the definition. Outside of a repository there is no committed definition, so the
   * content of the file at that time counts as the committed contract.
   */
  begin(file: string | undefined): CommittedFile | undefined;
  /** A line about a definition that breaks callers, unless the previous build broke them in the same way. */
  judge(definition: string): Promise<string | undefined>;
}

/** Creates the watch of one `tenon dev`. */
export function watchContract(root: string): ContractWatch {
  let committed: CommittedFile | undefined;
  let judged: string | undefined;
  let told = "";

  async function failing(definition: string): Promise<readonly JudgedFinding[]> {
    if (committed === undefined) return [];
    // Loaded after the first build, which starts the service.
    const { changesSince } = await import("./committed-contract.ts");
    return changesSince(committed, definition).findings.filter(({ fails }) => fails);
  }

  return {
    begin(file) {
      if (file !== undefined && file !== committed?.file)
        committed = { file, atStart: existsSync(file) ? readFileSync(file, "utf8") : undefined, root };
      return committed;
    },
    async judge(definition) {
      if (definition === judged) return undefined;
      judged = definition;
      let line: string;
      try {
        line = lineOf(await failing(definition));
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

function lineOf(failed: readonly JudgedFinding[]): string {
  const [first, ...others] = failed;
  if (first === undefined) return "";
  const more = others.length === 0 ? "" : `, and ${others.length} more`;
  return `This breaks the committed contract: ${first.tool} ${first.place} ${first.message}${more}. \`tenon check --against HEAD\` tells all.`;
}
