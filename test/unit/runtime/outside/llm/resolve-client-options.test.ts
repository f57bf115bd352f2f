import { describe, expect, test } from "vitest";
import { LlmConfigurationError } from "../../../../../runtime/outside/llm/llm-errors.ts";
import {
  resolveClientOptions,
  type GivenOptions,
  type LlmEnvironment,
} from "../../../../../runtime/outside/llm/resolve-client-options.ts";

interface Row {
  readonly given?: GivenOptions & Readonly<Record<string, unknown>>;
  readonly env?: LlmEnvironment;
  readonly file?: string;
  readonly expected: Readonly<Record<string, unknown>>;
}

const gateway = "https://gateway.example.org";
const setter = async (): Promise<string> => "key";
const none = { LLM_GATEWAY_PROXY: "", LLM_API_KEY: " ", LLM_BASE_URL: "" };

const rows: Readonly<Record<string, Row>> = {
  "an explicit key": { given: { apiKey: "a" }, expected: { apiKey: "a" } },
  "an explicit key before all others": {
    given: { apiKey: "a" },
    env: { LLM_API_KEY: "b" },
    file: "c",
    expected: { apiKey: "a" },
  },
  "an explicit key goes to the gateway, too": {
    given: { apiKey: "a" },
    env: { LLM_GATEWAY_PROXY: gateway, LLM_BASE_URL: "https://b" },
    expected: { apiKey: "a", baseURL: `${gateway}/v1` },
  },
  "unless the base URL is explicit": {
    given: { apiKey: "a", baseURL: "https://a/v2/" },
    env: { LLM_GATEWAY_PROXY: gateway },
    expected: { apiKey: "a", baseURL: "https://a/v2" },
  },
  "an explicit key with LLM_BASE_URL": {
    given: { apiKey: "a" },
    env: { LLM_BASE_URL: "http://b:1/x" },
    expected: { apiKey: "a", baseURL: "http://b:1/x" },
  },
  "a function that gives keys": { given: { apiKey: setter }, file: "c", expected: { apiKey: setter } },
  "a key that is undefined or null is none": {
    given: { apiKey: null, baseURL: undefined },
    env: { LLM_API_KEY: "b" },
    expected: { apiKey: "b", baseURL: undefined },
  },
  "the gateway needs no key": {
    env: { LLM_GATEWAY_PROXY: `${gateway}/`, LLM_API_KEY: "b", LLM_BASE_URL: "https://b" },
    file: "c",
    expected: { apiKey: "not-needed", baseURL: `${gateway}/v1` },
  },
  "the gateway's placeholder with an explicit base URL": {
    given: { baseURL: "https://a" },
    env: { LLM_GATEWAY_PROXY: gateway },
    expected: { apiKey: "not-needed", baseURL: "https://a" },
  },
  "a gateway below a path": {
    env: { LLM_GATEWAY_PROXY: `${gateway}/llm//` },
    expected: { apiKey: "not-needed", baseURL: `${gateway}/llm/v1` },
  },
  LLM_API_KEY: { env: { LLM_API_KEY: " b\n" }, file: "c", expected: { apiKey: "b" } },
  "LLM_API_KEY with LLM_BASE_URL": {
    env: { LLM_API_KEY: "b", LLM_BASE_URL: "https://b/v1" },
    expected: { apiKey: "b", baseURL: "https://b/v1" },
  },
  "the key file": { env: none, file: "c\n", expected: { apiKey: "c" } },
  "the key file with LLM_BASE_URL": {
    env: { LLM_BASE_URL: "https://b" },
    file: "c",
    expected: { apiKey: "c", baseURL: "https://b" },
  },
  "all other options go through": {
    given: { apiKey: "a", maxRetries: 0, timeout: 5, defaultHeaders: { x: "y" } },
    expected: { apiKey: "a", maxRetries: 0, timeout: 5, defaultHeaders: { x: "y" } },
  },
  "another credential needs no key": {
    given: { workloadIdentity: { provider: "x" } },
    env: { LLM_API_KEY: "b", LLM_BASE_URL: "https://b" },
    expected: { workloadIdentity: { provider: "x" }, baseURL: "https://b" },
  },
  "a provider has its own address": {
    given: { provider: "p" },
    env: { LLM_GATEWAY_PROXY: gateway },
    expected: { provider: "p" },
  },
};

describe("resolveClientOptions", () => {
  test.each(Object.entries(rows))("%s", (_, { given = {}, env = {}, file, expected }) => {
    expect(resolveClientOptions(given, env, () => file)).toEqual(expected);
  });

  test("the file is read only when nothing else has a key", () => {
    const unread = (): never => {
      throw new Error("read");
    };
    expect(resolveClientOptions({ apiKey: "a" }, {}, unread)).toEqual({ apiKey: "a" });
    expect(resolveClientOptions({}, { LLM_API_KEY: "b" }, unread)).toEqual({ apiKey: "b" });
    expect(resolveClientOptions({}, { LLM_GATEWAY_PROXY: gateway }, unread)).toMatchObject({ apiKey: "not-needed" });
  });

  test.each<[string, GivenOptions, LlmEnvironment, string | undefined, RegExp]>([
    ["no key", {}, none, undefined, /^There is no key.*LLM_GATEWAY_PROXY.*LLM_API_KEY.*LLM_BASE_URL.*api_key.*apiKey/],
    ["an empty file", {}, {}, " \n", /^There is no key/],
    ["an empty explicit key", { apiKey: "" }, { LLM_API_KEY: "b" }, "c", /^The option apiKey is empty/],
    ["two lines in the file", {}, {}, "c\nsecret", /^The file ~\/\.config\/openai\/api_key is not a valid key/],
    ["a key that fits no header", {}, { LLM_API_KEY: "secret–dash" }, undefined, /^LLM_API_KEY is not a valid key/],
    [
      "a gateway without a scheme",
      {},
      { LLM_GATEWAY_PROXY: "gateway:4000" },
      undefined,
      /^LLM_GATEWAY_PROXY is not a URL/,
    ],
    ["a base URL of files", { apiKey: "a" }, { LLM_BASE_URL: "file:///x" }, undefined, /^LLM_BASE_URL is not a URL/],
    ["a wrong option", { apiKey: "a", baseURL: "/v1" }, {}, undefined, /^The option baseURL is not a URL/],
  ])("refuses %s, and shows no key", (_, given, env, file, text) => {
    let error: unknown;
    try {
      resolveClientOptions(given, env, () => file);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(LlmConfigurationError);
    expect((error as Error).message).toMatch(text);
    expect((error as Error).message).not.toMatch(/secret/);
  });
});
