import { readFileSync } from "node:fs";
import { CommandError, UsageError } from "../base/usage.ts";

const field = /^([^={}[\]"@\s]+)=(.*)$/s;

/**
 * The request of a command line: JSON, `@file`, or a word `name=value` for each field. A value that is valid JSON is
 * parsed, any other is a text; a name that is given several times becomes a list. Throws for anything else.
 */
export function readRequest(words: readonly string[]): unknown {
  const [first = "{}"] = words;
  if (words.length > 0 && words.every((word) => field.test(word))) return readFields(words);
  if (words.length > 1)
    throw new UsageError(
      `The request is JSON, @file, or a word such as number=997 for each field; ${JSON.stringify(words.find((word) => !field.test(word)))} is not such a word.`,
    );
  const file = first.startsWith("@") ? first.slice(1) : undefined;
  const text = file === undefined ? first : readText(file);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(`${file ?? "The request"} is not JSON: ${(error as Error).message}`);
  }
}

function readFields(words: readonly string[]): unknown {
  const values = new Map<string, unknown[]>();
  for (const word of words) {
    const [, name = "", text = ""] = field.exec(word) ?? [];
    values.set(name, [...(values.get(name) ?? []), valueOf(text)]);
  }
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all]));
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new CommandError(`There is no file ${file}.`);
  }
}
