/** The console of one service. */
import { serviceBackend } from "./client/service-backend.ts";
import { ContractPage } from "./contract/contract-page.tsx";
import { serviceTabs } from "./contract/service-tabs.tsx";
import { openPage } from "./open-page.tsx";

openPage(serviceBackend, [{ name: "contract", label: "Contract", page: () => <ContractPage more={serviceTabs} /> }]);
