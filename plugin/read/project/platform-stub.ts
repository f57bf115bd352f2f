/** Path of {@link stubText} among the root files of a `lean` program (see `Level`). The file exists only in memory. */
export const stubPath = "/node_modules/typescript/lib/tenon-platform.d.ts";

/** Platform objects that JSON cannot carry. The reader uses only their names, so empty declarations are enough. */
const opaque = [
  "AbortController",
  "AbortSignal",
  "Blob",
  "BroadcastChannel",
  "CompressionStream",
  "CryptoKey",
  "DOMException",
  "DecompressionStream",
  "Event",
  "EventTarget",
  "File",
  "FormData",
  "Headers",
  "MessageChannel",
  "MessagePort",
  "ReadableStream",
  "Request",
  "Response",
  "TextDecoder",
  "TextEncoder",
  "TransformStream",
  "URLSearchParams",
  "WebSocket",
  "WritableStream",
];

/**
 * Declarations that replace `lib.dom` and `@types/node` in a `lean` program (see `Level`): parsing these two would be
 * most of its work. A name that is missing here cannot be resolved. If a tool uses such a name, a `full` program
 * replaces the `lean` one.
 */
export const stubText = `
interface URL { readonly href: string; toString(): string; toJSON(): string; }
declare var URL: { new (url: string | URL, base?: string | URL): URL; canParse(url: string | URL, base?: string | URL): boolean; };
interface Buffer extends Uint8Array {}
declare var console: { log(...a: unknown[]): void; info(...a: unknown[]): void; warn(...a: unknown[]): void; error(...a: unknown[]): void; debug(...a: unknown[]): void; };
declare module "node:buffer" { export { Buffer } }
declare module "buffer" { export { Buffer } }
declare module "node:url" { export { URL } }
declare module "url" { export { URL } }
${opaque.map((name) => `interface ${name} { readonly "tenon.opaque": "${name}"; }`).join("\n")}
`;
