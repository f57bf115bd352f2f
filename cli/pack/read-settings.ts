import { say } from "../base/output.ts";
import { serviceVariables, type Variable } from "../../plugin/index.ts";
import type { Project } from "../project/project.ts";

/** An environment variable of a service, for which hosts ask their users. */
export interface Setting {
  /** Name of the variable. */
  readonly name: string;
  /** Name of the variable in words. */
  readonly title: string;
  readonly description: string | undefined;
  readonly kind: "text" | "number" | "boolean" | "file" | "folder";
  readonly fallback: string | undefined;
  readonly isRequired: boolean;
  /** True if hosts should hide the value, and store it with secrets. */
  readonly isSecret: boolean;
}

const secret = /(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASS|CREDENTIALS?|AUTH)(?:_|$)/;
const folder = /(?:^|_)(?:DIR|DIRECTORY|FOLDER)$/;
const file = /(?:^|_)(?:FILE|PATH)$/;

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

/**
 * Makes a setting of a variable that the code reads; whether it is secret, and the like, follows from the variable's
 * name.
 */
export function settingOf({ name, kind, description, fallback, isRequired }: Variable): Setting {
  const byName = folder.test(name) ? "folder" : file.test(name) ? "file" : kind;
  return {
    name,
    title: titleOf(name),
    description,
    kind: kind === "text" ? byName : kind,
    fallback,
    isRequired,
    isSecret: secret.test(name.toUpperCase()),
  };
}

/** Converts `API_BASE_URL` to `API base URL`. */
function titleOf(name: string): string {
  const words = name.split(/_+/).filter((word) => word !== "");
  const text = words
    .map((word) => (/^(?:API|URL|URI|ID|HTTP|DB|SQL|LLM|MCP)$/i.test(word) ? word : word.toLowerCase()))
    .join(" ");
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
