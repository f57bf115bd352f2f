/** Name of MCP's extension for views in capabilities. */
export const viewExtension = "io.modelcontextprotocol/ui";
/** Media type of a view. */
export const viewType = "text/html;profile=mcp-app";

/**
 * Returns the address of a tool's view: `ui://<service>/<tool>.html`. Other characters of the service's name become
 * `-`.
 */
export function viewUri(service: string, tool: string): string {
  const host = service
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  return `ui://${host === "" ? "service" : host}/${tool}.html`;
}
