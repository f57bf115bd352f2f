import type { ClientOptions, OpenAI } from "openai";

/** The client of the package `openai`. The package is an optional peer: where it is not installed, this is `any`. */
export type LlmClient = OpenAI;

/** What the client's constructor takes. */
export type LlmOptions = ClientOptions;

/** The class of the client. */
export type LlmClientClass = typeof OpenAI;
