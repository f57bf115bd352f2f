import type { OwnView } from "./app.tsx";

/** Views that services and platforms have. */
export const commonViews: readonly [OwnView, ...OwnView[]] = [
  { name: "tools", label: "Tools", load: async () => (await import("./tools/tools-page.tsx")).ToolsPage },
  {
    name: "jobs",
    label: "Jobs",
    load: async () => (await import("./jobs/jobs-page.tsx")).JobsPage,
    one: async () => (await import("./jobs/job-page.tsx")).JobPage,
  },
];
