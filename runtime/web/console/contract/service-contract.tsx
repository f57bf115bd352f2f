import type { VNode } from "preact";
import { ContractPage } from "./contract-page.tsx";
import { serviceTabs } from "./service-tabs.tsx";

/** Promises of a service, as its own console shows them. */
export function ServiceContract(): VNode {
  return <ContractPage more={serviceTabs} />;
}
