/** The console of a platform. */
import { platformBackend } from "./client/platform-backend.ts";
import { ContractPage } from "./contract/contract-page.tsx";
import { openPage } from "./open-page.tsx";
import { ArtifactsPage } from "./platform/artifacts-page.tsx";
import { DeadLettersPage } from "./platform/dead-letters-page.tsx";
import { PlatformPage } from "./platform/platform-page.tsx";

openPage(platformBackend, [
  { name: "contract", label: "Contract", page: () => <ContractPage more={() => []} /> },
  { name: "artifacts", label: "Artifacts", page: () => <ArtifactsPage /> },
  { name: "dead-letters", label: undefined, page: () => <DeadLettersPage /> },
  { name: "platform", label: "Platform", page: () => <PlatformPage /> },
]);
