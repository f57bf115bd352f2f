import { paint, printJson, sayLine } from "../base/output.ts";
import { UsageError, withArguments, type Arguments, type CommandHelp } from "../base/usage.ts";
import { isObject } from "../base/is-object.ts";
import { readAnswer } from "../base/read-answer.ts";
import { askOptions, asker, serviceToken, findJob } from "./ask.ts";
import { readNamedFile } from "./files.ts";

export const help: CommandHelp = {
  usage: "tenon platform send <job> <name> <json|@file> [options]",
  summary:
    "Sends a message to a job that waits for it, or will (job.wait). --url may also be the address of a service, with its token in TENON_TOKEN.",
  options: {
    ...askOptions,
    key: { type: "string", value: "KEY", help: "the key of a wait in a loop" },
    once: { type: "string", value: "KEY", help: "Idempotency-Key: the same key is the same message" },
  },
  examples: [
    `tenon platform send 3f9a approval '{"approved": true}'`,
    "tenon platform send 3f9a delivery @delivery.json --key item-7",
  ],
};

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, 3, carryOut);
}

async function carryOut(given: Arguments): Promise<number> {
  const [named, name, message] = given.positionals;
  if (named === undefined || name === undefined || message === undefined)
    throw new UsageError(`Name the job and the message, and give it as JSON. Usage: ${help.usage}`);
  const ask = asker(given);
  const [key, once] = [given.text("key"), given.text("once")];
  const query = key === undefined ? "" : `?key=${encodeURIComponent(key)}`;
  const id = encodeURIComponent(await findJob(ask, named));
  const response = await ask(`/jobs/${id}/messages/${encodeURIComponent(name)}${query}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(once !== undefined && { "idempotency-key": once }),
      ...serviceToken(given),
    },
    body: message.startsWith("@") ? readNamedFile(message.slice(1)) : message,
  });
  const isNew = response.status === 202;
  const answer = await readAnswer(response, "platform", isObject);
  if (given.flag("json")) printJson(answer);
  else sayLine(isNew ? `${name} ${paint("green", "sent")} to ${named}` : `${name} was sent to ${named} before`);
  return 0;
}
