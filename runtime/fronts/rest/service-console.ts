import type { Answer } from "../http/answer.ts";
import { consolePage } from "../http/console-page.ts";
import type { ConsoleAccess } from "../http/console-page.ts";
import { consoleTexts } from "./console-texts.ts";

/** The page of the console. Loaded only when somebody opens it. */
export function serviceConsole(access?: ConsoleAccess): Answer {
  return consolePage(consoleTexts, access);
}
