/** Headers by lower-case name. */
export type HeaderList = Readonly<Record<string, string>>;

export interface ParsedHeaderList {
  readonly headers: ReadonlyMap<string, string>;
  /**
   * Warnings about ignored parts. They give the position and never the text, since an invalid part may contain a token.
   */
  readonly warnings: readonly string[];
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,256}$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]{0,8192}$/;
// Headers that describe the message itself; the exporter writes them.
// oxfmt-ignore
const reserved: ReadonlySet<string> = new Set([
  "__proto__", "connection", "content-encoding", "content-length", "content-type", "expect", "host", "keep-alive",
  "te", "trailer", "transfer-encoding", "upgrade",
]);

/** Parses `k=v` pairs between commas or semicolons with percent-decoded values, as in `OTEL_EXPORTER_OTLP_HEADERS`. */
export function parseHeaderList(variable: string, text: string | undefined): ParsedHeaderList {
  const headers = new Map<string, string>();
  const warnings: string[] = [];
  const parts = (text ?? "").split(/[,;]/);
  for (const [index, part] of parts.entries()) {
    if (part.trim() === "") continue;
    const problem = addPair(headers, part);
    if (problem !== undefined) warnings.push(`${variable}: part ${index + 1} is ignored, since ${problem}.`);
  }
  return { headers, warnings };
}

/** True for a text that may be sent as the value of a header. */
export function isHeaderValue(text: string): boolean {
  return headerValue.test(text);
}

/** Decodes percent-encoding; returns the text unchanged when it contains a bare percent sign. */
export function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function addPair(headers: Map<string, string>, part: string): string | undefined {
  const equals = part.indexOf("=");
  if (equals < 0) return "it is not a name=value pair";
  const name = part.slice(0, equals).trim().toLowerCase();
  if (!token.test(name)) return "its name is not a header name";
  if (reserved.has(name)) return "this header is not for you to set";
  const value = percentDecode(part.slice(equals + 1).trim());
  if (!isHeaderValue(value)) return "its value holds characters that a header cannot have";
  headers.set(name, value);
  return undefined;
}
