/**
 * The part of `@modelcontextprotocol/client` that `tenon call` uses. The build bundles this file, so that users of
 * `tenon call` need not install the package; `tenon/client/mcp` uses the package that its users install.
 */
export { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
