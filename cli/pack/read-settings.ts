import { say } from "../base/output.ts";
import { serviceVariables } from "../../plugin/index.ts";
import type { Project } from "../project/project.ts";
import { settingOf, type Setting } from "./setting.ts";

/** The environment variables of a service that its users set. */
export interface Settings {
  readonly settings: readonly Setting[];
  /** False if the code reads variables whose names cannot be determined. */
  readonly knowsAll: boolean;
}

/**
 * Finds the variables in the code, and prints a warning if some cannot be determined.
 *
 * @param asked Variables in addition to those of the code, `NAME` or `NAME=DEFAULT`.
 */
export async function readSettings(
  { root, entry }: Project,
  asked: readonly string[],
  isQuiet: boolean = false,
): Promise<Settings> {
  const { named, unnamed } = await serviceVariables(root, entry);
  const others = asked.map((word) => {
    const [, name = word, fallback] = /^([^=]*)=(.*)$/s.exec(word) ?? [];
    return { name, kind: "text" as const, isRequired: false, ...(fallback !== undefined && { fallback }) };
  });
  if (unnamed.length > 0 && !isQuiet) {
    say(`process.env is read without a name at ${unnamed.join(", ")}: name those variables with --env NAME.`);
  }
  const given = new Set(others.map(({ name }) => name));
  const all = [...named.filter(({ name }) => !given.has(name) && !isOfSystem(name)), ...others];
  return { settings: all.map(settingOf), knowsAll: unnamed.length === 0 };
}

/** Variables that every process has. */
function isOfSystem(name: string): boolean {
  return /^(?:NODE_ENV|NODE_OPTIONS|PATH|HOME|USERPROFILE|PWD|TMPDIR|TEMP|TMP|USER|SHELL|LANG|TZ|CI|npm_.*)$/.test(
    name,
  );
}
