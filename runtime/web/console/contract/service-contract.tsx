import type { VNode } from "preact";
import { ContractPage } from "./contract-page.tsx";
import { serviceTabs } from "./service-tabs.tsx";

/** Shows the contract of a service in its own console. */
export function ServiceContract(): VNode {
  return <ContractPage more={serviceTabs} />;
}
