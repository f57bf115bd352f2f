import type { APIError, APIPromise, ClientOptions, OpenAI } from "openai";

/** The client of the package `openai`. The package is an optional peer: if it is not installed, this type is `any`. */
export type LlmClient = OpenAI;

/** Constructor options of the client. */
export type LlmOptions = ClientOptions;

/** The class of the client. */
export type LlmClientClass = typeof OpenAI;

/** A promise of an answer that also gives access to the raw response. */
export type LlmPending<Answer> = APIPromise<Answer>;

/** Error of an answer with a status of failure. */
export type LlmStatusError = APIError;
