import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../base/usage.ts";
import type { AskModel, Completion, ModelRequest } from "./facts.ts";

/** Records each answer of a model in a folder, one file per request and run. */
export function recording(ask: AskModel, folder: string): AskModel {
  mkdirSync(folder, { recursive: true });
  return async (request, run) => {
    const answer = await ask(request, run);
    const { model } = request;
    writeFileSync(fileOf(folder, request, run), `${JSON.stringify({ model, run, ...answer }, null, 2)}\n`);
    return answer;
  };
}

/**
 * Answers with the recordings in a folder, without a network. A request that has changed since it was recorded is not
 * found.
 */
export function replayed(folder: string): AskModel {
  return async (request, run) => {
    const file = fileOf(folder, request, run);
    try {
      const { calls, tokens } = JSON.parse(readFileSync(file, "utf8")) as Completion;
      return { calls, tokens };
    } catch {
      const messages = request["messages"] as readonly { readonly role: string; readonly content: string }[];
      const sentence = messages.find(({ role }) => role === "user")?.content ?? "";
      throw new CommandError(
        `${folder} has no answer of ${request.model} to ${JSON.stringify(sentence)}, run ${run}, with these texts. Record it again with --record.`,
      );
    }
  };
}

function fileOf(folder: string, request: ModelRequest, run: number): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([request, run]))
    .digest("hex");
  return join(folder, `${digest.slice(0, 32)}.json`);
}
