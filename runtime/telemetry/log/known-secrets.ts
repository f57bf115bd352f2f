import type { Environment } from "../../service/config/config.ts";
import { percentDecode } from "../export/header-list.ts";
import { codedVariants, isSecretName } from "./redact.ts";

/** Minimum length of a header value that counts as a secret, whatever its name: names of organisations are shorter. */
const longValue = 16;

/**
 * Collects the secrets of the environment, in every form in which they occur: variables whose names indicate a secret,
 * credentials in URLs and header lists, and the Basic authorisation made from user name and token.
 */
export function secretsOf(env: Environment): readonly string[] {
  const found = new Set<string>();
  // Everyone who uses a variable removes the line end that the secrets of Kubernetes often have.
  const add = (secret: string): void => {
    for (const form of codedVariants(secret.trim())) found.add(form);
  };
  for (const [name, value = ""] of Object.entries(env)) {
    if (value === "") continue;
    // The pattern has no flag `i`: for a range of letters with that flag, V8 would read tables of Unicode at every
    // start.
    if (isSecretName(name) || /[A-Za-z]_[Kk][Ee][Yy]$/.test(name)) add(value);
    if (name.endsWith("_HEADERS")) {
      for (const pair of value.split(/[,;]/)) {
        const [header = "", ...content] = pair.split("=");
        const text = percentDecode(content.join("=").trim());
        if (isSecretName(header.trim()) || text.length >= longValue) add(text);
      }
    }
    if (value.includes("://")) {
      const password = URL.parse(value)?.password ?? "";
      add(password);
      add(percentDecode(password));
    }
  }
  const { OBSERVER_USERNAME: user = "", OBSERVER_TOKEN: token = "" } = env;
  if (token !== "") add(Buffer.from(`${user.trim()}:${token.trim()}`).toString("base64"));
  return [...found];
}
