/** Hooks for React: the exports of `tenon/client/react`. */
export { useJob } from "./use-job.ts";
export type { JobState } from "./use-job.ts";
export { useTool } from "./use-tool.ts";
export type { ToolState } from "./use-tool.ts";
