import { platformLambda } from "tenon";

/**
 * Says hello.
 * @name greet
 */
export const hello = platformLambda((): string => "hello", { name: "welcome" });

/** Says goodbye. */
export const goodbye = platformLambda((): string => "goodbye", { name: "say goodbye" });
