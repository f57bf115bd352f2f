import { platformLambda } from "tenon";

const path: string = String(process.pid);
const rest = { strict: true };

/** One. */
export const one = platformLambda((): void => {}, { path, tags: [path], maxWaitTime: process.pid, ...rest });
/** Two. */
export const two = platformLambda((): void => {}, { path: "no-slash", strict: "yes" as never });
/** Three. */
export const three = platformLambda((): void => {}, JSON.parse("{}"));
