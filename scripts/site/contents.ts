/** Guides in the order of the site's sidebar, by the question that brings somebody to them. */
export const contents: readonly { readonly title: string; readonly pages: readonly string[] }[] = [
  {
    title: "Start",
    pages: ["index", "guides", "tools", "playground", "coming-over", "command-line", "console", "editors"],
  },
  {
    title: "Write tools",
    pages: [
      "job",
      "durable",
      "schedules",
      "limits",
      "language-model",
      "platform-client",
      "views",
      "skills",
      "testing",
      "test-runners",
      "debugging",
    ],
  },
  {
    title: "Call them",
    pages: ["rest", "clients", "mcp", "install", "packages", "authorisation", "authorisation-server", "batch"],
  },
  {
    title: "Build and deploy",
    pages: ["bundlers", "hosts", "monorepos", "deploy", "source-maps", "configuration", "telemetry"],
  },
  {
    title: "Run them",
    pages: ["replicas", "scale", "operations", "security", "platform", "sidecar"],
  },
  { title: "Change them", pages: ["contracts", "eval", "upgrading", "changelog"] },
  {
    title: "Look up",
    pages: [
      "commands",
      "diagnostics",
      "definition",
      "transform",
      "conformance",
      "ways",
      "benchmarks",
      "growth",
      "performance",
    ],
  },
  { title: "Behind it", pages: ["architecture", "decisions/index", "contributing"] },
];
