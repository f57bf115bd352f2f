/** MCP's extension for views, as capabilities name it. */
export const viewExtension = "io.modelcontextprotocol/ui";
/** Media type of a view. */
export const viewType = "text/html;profile=mcp-app";
/** On `globalThis` of a view's page: its connection with the host. Not a key of a process, whose start would read it. */
export const viewKey: unique symbol = Symbol.for("tenon.view");
/** Id of the element that holds the facts as JSON. */
export const viewFactsId = "tenon-view";

/** Address of a tool's view: `ui://<service>/<tool>.html`. Other characters of the service's name become `-`. */
export function viewUri(service: string, tool: string): string {
  const host = service
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  return `ui://${host === "" ? "service" : host}/${tool}.html`;
}
