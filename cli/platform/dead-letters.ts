import { paint, printJson, printRow, say } from "../base/output.ts";
import { isItemList, type Item } from "../base/item-list.ts";
import { readAnswer } from "../base/read-answer.ts";
import type { Ask } from "./ask.ts";

/**
 * Fetches dead letters, the latest first: jobs whose workers were lost three times, or which the build cannot continue.
 */
export async function askDeadLetters(ask: Ask): Promise<readonly Item[]> {
  return (await readAnswer(await ask("/dead-letters"), "platform", isItemList)).items;
}

/** Prints dead letters with the end of their last workers, and the last lines of those workers' logs. */
export function printDeadLetters(letters: readonly Item[], json: boolean): void {
  if (json) printJson(letters);
  else if (letters.length === 0) say("There are no dead letters.");
  else for (const row of letters.flatMap(rowsOf)) printRow(row);
}

function rowsOf(letter: Item): readonly string[] {
  const time = String(letter["ended-at"]).slice(0, 19).replace("T", " ");
  const reason = String(letter["detail"] ?? letter["error-message"]);
  const head = `${String(letter["id"])}  ${time}  ${String(letter["service-name"])}  ${reason}`;
  const log = Array.isArray(letter["log-tail"]) ? letter["log-tail"] : [];
  return [head, ...log.map((line) => paint("dim", `    ${String(line)}`))];
}
