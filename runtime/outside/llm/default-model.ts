/** Default language model: the variable `DEFAULT_LLM_MODEL`, as it was at the start. */
export const DEFAULT_LLM_MODEL: string = process.env["DEFAULT_LLM_MODEL"] || "platform-default";
