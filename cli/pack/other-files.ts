import type { ServiceFile } from "../../plugin/index.ts";
import { hasServerJson, packServerJson } from "./pack-server-json.ts";
import { diffLines } from "../project/diff-lines.ts";
import { generatedSkill } from "../project/generated-skill.ts";
import type { CompiledEntry } from "../build/compile-entry.ts";

/** A file beside the definition that the code decides about. */
export interface OtherFile {
  readonly file: string;
  readonly committed: string | undefined;
  /** Empty: the file is as it must be. */
  readonly difference: readonly string[];
  /** The command that writes it. */
  readonly remedy: string;
}

/** The files that are there because somebody has asked for them once. */
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
