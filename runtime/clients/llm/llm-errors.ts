/** The package `openai` is not part of the service, or cannot be loaded. `cause` has the reason. */
export class LlmPackageError extends Error {
  override readonly name: string = "LlmPackageError";
}

/** No key was found, or a key or an address cannot be used. Never shows a key. */
export class LlmConfigurationError extends Error {
  override readonly name: string = "LlmConfigurationError";
}
