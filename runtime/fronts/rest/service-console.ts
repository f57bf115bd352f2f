import type { Answer } from "../http/answer.ts";
import { consolePage, consoleScript } from "../http/console-page.ts";
import type { ConsoleAccess } from "../http/console-page.ts";
import { consoleTexts } from "./console-texts.ts";

/** The page of the console, or the script of one of its views. Loaded only when somebody opens it. */
export async function serviceConsole(query: string, access?: () => Promise<ConsoleAccess>): Promise<Answer> {
  const name = new URLSearchParams(query).get("script");
  return name === null ? consolePage(consoleTexts, await access?.()) : consoleScript(consoleTexts, name);
}
