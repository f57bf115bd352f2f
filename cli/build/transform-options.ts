import type { RolldownOptions } from "rolldown";
import { oldestNode } from "../base/version.ts";

/** Syntax that the oldest Node does not know, such as `using`, is written in older syntax. */
export const transformOptions: NonNullable<RolldownOptions["transform"]> = { target: `node${oldestNode()}` };
