import type { Variable } from "../../plugin/index.ts";

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

/** Makes a setting of a variable that the code reads; some of its facts follow from the variable's name. */
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
