/**
 * Matches files that may call `job.ask<T>`, `job.wait<T>` or `job.step`, also as `job["step"]`: their types are inside
 * of function bodies.
 */
export const jobCalls: RegExp =
  /(?:\.|\[["'`])(?:ask|wait)(?:["'`]\])?\s*<|(?:(?<!\breport)\.|\[["'`])step(?:["'`]\])?\s*[<(]/;
