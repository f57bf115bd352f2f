/** Methods that the build must see being called on a job. */
const methods = "(?:ask|step|sleep|wait)";

/**
 * Matches files that may call `job.ask<T>`, `job.wait<T>` or `job.step`, also as `job["step"]`: their types are inside
 * of function bodies. And files that may take these methods from a job, which is a mistake.
 */
export const jobCalls: RegExp = new RegExp(
  [
    /(?:\.|\[["'`])(?:ask|wait)(?:["'`]\])?\s*</.source,
    /(?:(?<!\breport)\.|\[["'`])step(?:["'`]\])?\s*[<(]/.source,
    `\\{[^{}]*\\b${methods}\\b[^{}]*\\}\\s*(?:=|:\\s*JobContext\\b)`,
    `\\bjob\\.${methods}\\b(?!\\s*[(<])`,
  ].join("|"),
);
