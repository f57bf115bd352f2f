/** A package with an MCP server, in the version whose tools were judged. */
export interface ForeignServer {
  readonly version: string;
  /** Arguments without which it does not list its tools. */
  readonly words?: readonly string[];
}

/** Servers from npm that list their tools without an account: 1,170 tools. */
export const foreignServers: Readonly<Record<string, ForeignServer>> = {
  "@antv/mcp-server-chart": { version: "0.9.10" },
  "@circleci/mcp-server-circleci": { version: "0.20.0" },
  "@currents/mcp": { version: "2.1.1" },
  "@elastic/mcp-server-elasticsearch": { version: "0.3.1" },
  "@executeautomation/playwright-mcp-server": { version: "1.0.12" },
  "@hubspot/mcp-server": { version: "0.4.0" },
  "@launchdarkly/mcp-server": { version: "0.6.2", words: ["start", "--api-key", "api-x"] },
  "@mobilenext/mobile-mcp": { version: "1.0.4" },
  "@modelcontextprotocol/server-brave-search": { version: "0.6.2" },
  "@modelcontextprotocol/server-everything": { version: "2026.8.31" },
  "@modelcontextprotocol/server-filesystem": { version: "2026.8.31", words: ["."] },
  "@modelcontextprotocol/server-github": { version: "2025.4.8" },
  "@modelcontextprotocol/server-gitlab": { version: "2025.4.25" },
  "@modelcontextprotocol/server-google-maps": { version: "0.6.2" },
  "@modelcontextprotocol/server-memory": { version: "2026.8.31" },
  "@modelcontextprotocol/server-puppeteer": { version: "2025.5.12" },
  "@modelcontextprotocol/server-sequential-thinking": { version: "2026.8.31" },
  "@modelcontextprotocol/server-slack": { version: "2025.4.25" },
  "@neondatabase/mcp-server-neon": { version: "0.3.7", words: ["start", "napi_x"] },
  "@notionhq/notion-mcp-server": { version: "2.5.2" },
  "@pinecone-database/mcp": { version: "0.3.0" },
  "@playwright/mcp": {
    version: "0.0.83",
    words: ["--caps=vision,pdf,testing,tracing,network,storage,devtools,config"],
  },
  "@shopify/dev-mcp": { version: "1.16.0" },
  "@softeria/ms-365-mcp-server": { version: "0.155.0" },
  "@upstash/context7-mcp": { version: "4.1.1" },
  "@zereight/mcp-gitlab": { version: "2.1.64" },
  "chrome-devtools-mcp": { version: "1.11.0", words: ["--no-usage-statistics"] },
  "firecrawl-mcp": { version: "3.22.2" },
  "hostinger-api-mcp": { version: "1.63.2" },
  "mcp-server-kubernetes": { version: "4.1.7" },
};

/** Keys that servers ask for before they list their tools; none is valid anywhere. */
const keys =
  "BRAVE_API_KEY CIRCLECI_TOKEN CURRENTS_API_KEY ES_API_KEY FIRECRAWL_API_KEY GITHUB_PERSONAL_ACCESS_TOKEN " +
  "GITLAB_PERSONAL_ACCESS_TOKEN GOOGLE_MAPS_API_KEY NOTION_TOKEN PINECONE_API_KEY PRIVATE_APP_ACCESS_TOKEN " +
  "SLACK_BOT_TOKEN SLACK_TEAM_ID";

/** The environment of these servers. */
export const foreignEnvironment: Readonly<Record<string, string>> = {
  ...Object.fromEntries(keys.split(" ").map((key) => [key, "x"])),
  ES_URL: "http://localhost:9200",
};
