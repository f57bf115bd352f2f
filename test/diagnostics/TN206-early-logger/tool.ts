import { getLogger, loggingInit } from "tenon";

const early = getLogger("early");
const later = (): unknown => getLogger("later");
loggingInit();
const good = getLogger("good");

/** Logs. @tool */
export function log(): void {
  early.info(String(later()));
  good.info("x");
}
