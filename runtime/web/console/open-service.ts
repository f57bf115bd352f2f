/** The console of one service. */
import { serviceBackend } from "./client/service-backend.ts";
import { openPage } from "./open-page.tsx";
import { hasSchedules } from "./schedules/has-schedules.ts";
import { signingInKey, type SigningIn } from "./sign-in/token-source.ts";

openPage(
  serviceBackend,
  [
    {
      name: "schedules",
      label: "Schedules",
      isUseful: hasSchedules,
      load: async () => (await import("./schedules/schedules-page.tsx")).SchedulesPage,
    },
    { name: "mcp", label: "MCP", load: async () => (await import("./mcp/modern-page.tsx")).ModernPage },
    {
      name: "mcp-2025-11-25",
      label: "MCP",
      isUseful: () => false,
      load: async () => (await import("./mcp/legacy-page.tsx")).LegacyPage,
    },
    {
      name: "contract",
      label: "Contract",
      load: async () => (await import("./contract/service-contract.tsx")).ServiceContract,
    },
  ],
  Reflect.get(globalThis, signingInKey) as SigningIn | undefined,
);
