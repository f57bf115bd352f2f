import { LlmConfigurationError } from "./llm-errors.ts";

/** Options that decide key and base URL; all others are passed on unchanged. */
export interface GivenOptions {
  readonly apiKey?: unknown;
  readonly baseURL?: string | null | undefined;
}

/** Variables that decide key and base URL. */
export interface LlmEnvironment {
  readonly LLM_GATEWAY_PROXY?: string | undefined;
  readonly LLM_API_KEY?: string | undefined;
  readonly LLM_BASE_URL?: string | undefined;
}

/** Key for a gateway, which authenticates its callers by other means. */
export const placeholderKey = "not-needed";

/** Options that replace the API key. */
const otherCredentials = ["adminAPIKey", "credential", "provider", "workloadIdentity"];
/** Options that replace the base URL. */
const otherAddresses = ["dataResidency", "provider"];

/**
 * Resolves the options of the client. Key and base URL are resolved separately, each from the first source that has
 * one:
 *
 * - key: `apiKey`; the placeholder when `LLM_GATEWAY_PROXY` is set; `LLM_API_KEY`; the key file
 * - base URL: `baseURL`; `{LLM_GATEWAY_PROXY}/v1`; `LLM_BASE_URL`; the client's own
 *
 * @param readKeyFile Content of the key file; undefined when there is none. Called last.
 * @throws LlmConfigurationError without a key, or with an invalid key or address
 */
export function resolveClientOptions<Options extends GivenOptions>(
  given: Options,
  env: LlmEnvironment,
  readKeyFile: () => string | undefined,
): Options {
  const apiKey = hasAny(given, otherCredentials) ? given.apiKey : findKey(given.apiKey, env, readKeyFile);
  const baseURL = hasAny(given, otherAddresses) ? given.baseURL : findBaseUrl(given.baseURL, env);
  return {
    ...given,
    ...(apiKey !== undefined && { apiKey }),
    ...(baseURL !== undefined && { baseURL }),
  };
}

function findKey(given: unknown, env: LlmEnvironment, readKeyFile: () => string | undefined): unknown {
  // The key may be a function that returns a key for each request.
  if (typeof given === "function") return given;
  if (given !== undefined && given !== null) return checkKey("The option apiKey", String(given).trim());
  if (set(env.LLM_GATEWAY_PROXY)) return placeholderKey;
  const variable = env.LLM_API_KEY?.trim();
  if (set(variable)) return checkKey("LLM_API_KEY", variable);
  const file = readKeyFile()?.trim();
  if (set(file)) return checkKey("The file ~/.config/openai/api_key", file);
  throw new LlmConfigurationError(
    "There is no key for the language model. Set LLM_GATEWAY_PROXY to a gateway that needs none, or set LLM_API_KEY " +
      "(and LLM_BASE_URL, when it is not OpenAI's own), or put the key into the file ~/.config/openai/api_key, or pass " +
      "it: job.llmClient({ apiKey }).",
  );
}

function findBaseUrl(given: string | null | undefined, env: LlmEnvironment): string | undefined {
  if (set(given)) return checkUrl("The option baseURL", given);
  const { LLM_GATEWAY_PROXY: gateway, LLM_BASE_URL: base } = env;
  if (set(gateway)) return `${checkUrl("LLM_GATEWAY_PROXY", gateway)}/v1`;
  return set(base) ? checkUrl("LLM_BASE_URL", base) : undefined;
}

/** The key must fit into a header. The error does not show it, since an invalid text may be most of a real key. */
function checkKey(place: string, key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  const problem = key === "" ? "is empty" : "is not a valid key: it has spaces, line breaks or characters beyond ASCII";
  throw new LlmConfigurationError(`${place} ${problem}. It must hold the key and nothing else.`);
}

function checkUrl(place: string, text: string): string {
  const url = URL.parse(text.trim());
  if (url !== null && ["http:", "https:"].includes(url.protocol)) return text.trim().replace(/\/+$/, "");
  throw new LlmConfigurationError(`${place} is not a URL; write one such as https://gateway.example.org.`);
}

function set(text: string | null | undefined): text is string {
  return text !== undefined && text !== null && text.trim() !== "";
}

function hasAny(given: GivenOptions, names: readonly string[]): boolean {
  return Object.entries(given).some(([name, value]) => names.includes(name) && value !== undefined && value !== null);
}
