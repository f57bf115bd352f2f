/** A public project whose tools are adopted. */
export interface ForeignProject {
  /** Owner and name of the repository. */
  readonly name: string;
  /** Folder of the sources in it. */
  readonly folder: string;
  readonly library: string;
  /** Major version of zod that it uses. */
  readonly zod?: 3 | 4;
  /** Script that prints the original tools; default: `record-tools.ts`. */
  readonly recorder?: string;
  /** OpenAPI document that the original's tool made, relative to the folder; instead of a recorder. */
  readonly openApi?: string;
  /** Condition under which its packages export their sources. */
  readonly condition?: string;
}

/** One or more large projects for each library. */
export const foreignProjects: readonly ForeignProject[] = [
  { name: "microsoft/azure-devops-mcp", folder: "src", library: "MCP SDK", zod: 3 },
  { name: "modelcontextprotocol/servers", folder: "src", library: "MCP SDK", zod: 3 },
  { name: "firecrawl/firecrawl-mcp-server", folder: "src", library: "FastMCP", zod: 4 },
  { name: "xmcp-dev/templates", folder: "apps", library: "xmcp", zod: 3 },
  { name: "classroomio/classroomio", folder: "apps/api", library: "Hono", zod: 4 },
  { name: "rafaelbertelli/next-saas-rbac", folder: "apps/api/src", library: "Fastify", zod: 3 },
  { name: "Nexus-Digital-Automations/make.com-fastmcp-server", folder: "src", library: "FastMCP", zod: 4 },
  { name: "mindlss/neobooru", folder: "backend/src", library: "tsoa", openApi: "generated/swagger.json" },
  { name: "monkeytypegame/monkeytype", folder: "packages/contracts", library: "ts-rest", zod: 3, condition: "types" },
];
