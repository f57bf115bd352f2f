import type { Answer } from "../http/answer.ts";
import { consoleFrame, consolePage, consoleScript, type ConsoleAccess } from "../http/console-page.ts";
import { consoleTexts } from "./console-texts.ts";

/**
 * The page of the console, the script of one of its views, or the frame for views of tools. Loaded only when somebody
 * opens it.
 */
export async function serviceConsole(
  query: string,
  access: (() => Promise<ConsoleAccess>) | undefined,
  isDev: boolean,
): Promise<Answer> {
  const asked = new URLSearchParams(query);
  if (asked.has("frame")) return consoleFrame();
  const name = asked.get("script");
  if (name !== null) return consoleScript(consoleTexts, name);
  return consolePage(consoleTexts, await access?.(), { hasFrame: true, isDev });
}
