/** @tool */
export function silent(): void {}

import { platformLambda } from "tenon";
export const quiet = platformLambda((): void => {});
