/** Hooks for React: the exports of `tenon/client/react`. */
export { useJob, type JobState } from "./use-job.ts";
export { useTool, type ToolState } from "./use-tool.ts";
