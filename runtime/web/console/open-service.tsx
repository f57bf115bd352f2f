/** The console of one service. */
import { serviceBackend } from "./client/service-backend.ts";
import { ContractPage } from "./contract/contract-page.tsx";
import { serviceTabs } from "./contract/service-tabs.tsx";
import { openPage } from "./open-page.tsx";
import { signingInKey } from "./sign-in/signing-in.ts";
import type { SigningIn } from "./sign-in/signing-in.ts";

openPage(
  serviceBackend,
  [{ name: "contract", label: "Contract", page: () => <ContractPage more={serviceTabs} /> }],
  Reflect.get(globalThis, signingInKey) as SigningIn | undefined,
);
