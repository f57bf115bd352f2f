import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { paint } from "../base/output.ts";
import { plain, refusalText } from "./refusal-text.ts";

interface Started {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Paths that browsers request by themselves. */
const unasked: ReadonlySet<string> = new Set(["/favicon.ico", "/apple-touch-icon.png"]);

/** Prints a line for each request that reached no tool, because of a wrong path or a body that is not JSON. */
export function showRefused(write: (line: string) => void): void {
  subscribe("http.server.request.start", (message) => {
    const { request, response } = message as Started;
    const path = (request.url ?? "").split("?", 1)[0] ?? "";
    const { write: writePart, end } = response;
    let written: unknown;
    response.write = (...given: readonly unknown[]) => {
      written ??= given[0];
      return Reflect.apply(writePart, response, given) as boolean;
    };
    response.end = (...given: readonly unknown[]) => {
      const body = written ?? given[0];
      // Requests that started a job are skipped, since calls of tools have their own lines.
      if (response.statusCode >= 400 && !unasked.has(path) && !hasJob(response, body)) {
        const time = paint("dim", new Date().toLocaleTimeString("en-GB"));
        const what = `${plain(request.method)} ${plain(path)}`;
        write(
          `${time} ${paint("yellow", "!")} ${paint("bold", what)} ${response.statusCode}  ${reasonOf(body)}`.trimEnd(),
        );
      }
      return Reflect.apply(end, response, given) as ServerResponse;
    };
  });
}

function hasJob(response: ServerResponse, body: unknown): boolean {
  return response.hasHeader("job-id") || textOf(body).includes("urn:platform:job:");
}

/** Finds the reason in the body of a REST problem or of an MCP error. */
function reasonOf(body: unknown): string {
  try {
    const { detail, errors, error } = Object(JSON.parse(textOf(body))) as {
      detail?: unknown;
      errors?: unknown;
      error?: { message?: unknown };
    };
    return refusalText(detail ?? error?.message, errors);
  } catch {
    return plain(textOf(body));
  }
}

function textOf(body: unknown): string {
  return typeof body === "string" ? body : body instanceof Uint8Array ? new TextDecoder().decode(body) : "";
}
