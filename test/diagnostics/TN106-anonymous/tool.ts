import { platformLambda } from "tenon";

/** Has no name. @tool */
export default async function (): Promise<void> {}

export const named = platformLambda(/** Has a name. */ (): void => {});
