import type { ServiceFile } from "../../plugin/index.ts";
import { hasServerJson, packServerJson } from "./pack-server-json.ts";
import { diffLines } from "../project/diff-lines.ts";
import { generatedSkill } from "../project/generated-skill.ts";
import type { CompiledEntry } from "../build/compile-entry.ts";

/** A generated file beside the definition, whose content depends on the code. */
export interface OtherFile {
  readonly file: string;
  readonly committed: string | undefined;
  /** Differences from the expected content; empty if the file is up to date. */
  readonly difference: readonly string[];
  /** The command that updates the file. */
  readonly remedy: string;
}

/** Collects the optional generated files that already exist in the project. None is created. */
export async function otherFiles(compiled: ServiceFile & CompiledEntry): Promise<readonly OtherFile[]> {
  const skill = generatedSkill(compiled, false);
  const registry = hasServerJson(compiled.project) ? await packServerJson(compiled) : undefined;
  return [
    ...(skill === undefined ? [] : [{ ...skill, remedy: "tenon generate" }]),
    ...(registry === undefined ? [] : [{ ...registry, remedy: "tenon pack server-json" }]),
  ].map(({ file, text, committed, remedy }) => ({
    file,
    committed,
    difference: committed === text ? [] : diffLines(committed ?? "", text),
    remedy,
  }));
}
