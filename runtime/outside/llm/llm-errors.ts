/** The package `openai` is not installed, or cannot be loaded. `cause` has the reason. */
export class LlmPackageError extends Error {
  override readonly name: string = "LlmPackageError";
}

/** No key was found, or a key or an address is invalid. Never shows a key. */
export class LlmConfigurationError extends Error {
  override readonly name: string = "LlmConfigurationError";
}
