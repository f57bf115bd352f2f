import { parentPort, workerData } from "node:worker_threads";
import { compareContracts } from "../compare-contracts.ts";
import type { Contract } from "../contract.ts";

const { before, after } = workerData as { readonly before: Contract; readonly after: Contract };
parentPort?.postMessage(compareContracts(before, after));
