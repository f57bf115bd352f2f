/** The console of a platform. */
import { platformBackend } from "./client/platform-backend.ts";
import { hasSchedules } from "./schedules/has-schedules.ts";
import { openPage } from "./open-page.tsx";

openPage(platformBackend, [
  {
    name: "schedules",
    label: "Schedules",
    isUseful: hasSchedules,
    load: async () => (await import("./schedules/schedules-page.tsx")).SchedulesPage,
  },
  {
    name: "contract",
    label: "Contract",
    load: async () => (await import("./contract/platform-contract.tsx")).PlatformContract,
  },
  {
    name: "artifacts",
    label: "Artifacts",
    load: async () => (await import("./platform/artifacts-page.tsx")).ArtifactsPage,
  },
  {
    name: "dead-letters",
    label: undefined,
    load: async () => (await import("./platform/dead-letters-page.tsx")).DeadLettersPage,
  },
  {
    name: "platform",
    label: "Platform",
    load: async () => (await import("./platform/platform-page.tsx")).PlatformPage,
  },
]);
