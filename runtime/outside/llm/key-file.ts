import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { addSecret } from "../../telemetry/log/log-state.ts";
import { LlmConfigurationError } from "./llm-errors.ts";

/** Content of `~/.config/openai/api_key`, the fallback for local development; undefined when there is no such file. */
export function readKeyFile(): string | undefined {
  try {
    const key = readFileSync(join(homedir(), ".config/openai/api_key"), "utf8").trim();
    // The log already hides secrets of the environment. This one is not among them.
    addSecret(key);
    return key;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    if (["ENOENT", "ENOTDIR", "ERR_SYSTEM_ERROR"].includes(code)) return undefined;
    throw new LlmConfigurationError(`The key file ~/.config/openai/api_key cannot be read (${code}).`, {
      cause: error,
    });
  }
}
