/** Methods that the build must see being called on a job. */
export const jobMethods = ["ask", "step", "sleep", "wait"] as const;

const anyMethod = `(?:${jobMethods.join("|")})`;

/**
 * Matches files that may call `job.ask<T>`, `job.wait<T>` or `job.step`, also as `job["step"]`: their types are inside
 * of function bodies. And files that may take these methods from a job, which is a mistake.
 */
export const jobCalls: RegExp = new RegExp(
  [
    /(?:\.|\[["'`])(?:ask|wait)(?:["'`]\])?\s*</.source,
    /(?:(?<!\breport)\.|\[["'`])step(?:["'`]\])?\s*[<(]/.source,
    `\\{[^{}]*\\b${anyMethod}\\b[^{}]*\\}\\s*(?:=|:\\s*JobContext\\b)`,
    `\\bjob\\.${anyMethod}\\b(?!\\s*[(<])`,
  ].join("|"),
);
