import type { VNode } from "preact";
import { ContractPage } from "./contract-page.tsx";

/** Shows the contracts of the services that a platform knows. */
export function PlatformContract(): VNode {
  return <ContractPage more={() => []} />;
}
