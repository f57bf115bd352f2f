/** Default language model: the value of the variable `DEFAULT_LLM_MODEL` at the start. */
export const DEFAULT_LLM_MODEL: string = process.env["DEFAULT_LLM_MODEL"] || "platform-default";
