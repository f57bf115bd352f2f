/**
 * Matches files that may call `job.ask<T>`, `job.wait<T>` or `job.step`, whose types stand in the bodies of functions.
 */
export const jobCalls: RegExp = /\.(?:ask|wait)\s*<|(?<!\breport)\.step\s*[<(]/;
