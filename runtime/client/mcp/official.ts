/**
 * The part of the official package that `tenon call` uses. The build of the package bundles this file, so that nothing
 * has to be installed for it; `tenon/client/mcp` uses the package that its users install.
 */
export { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
