import { ToolError } from "../../../runtime/base/errors.ts";
import { consolePage } from "../../../runtime/fronts/http/console-page.ts";
import { consoleTexts } from "./console-texts.ts";
import type { Exchange } from "./exchange.ts";

/** `GET /`: the console. It holds nothing of the platform, so that it is open to everybody; its calls are not. */
export function showConsole(exchange: Exchange): void {
  if (exchange.method !== "GET" && exchange.method !== "HEAD")
    throw new ToolError("method-not-allowed", "Use GET here.");
  const { status, headers, body } = consolePage(consoleTexts);
  exchange.send(status, headers, exchange.method === "GET" ? (body as string) : undefined);
}
