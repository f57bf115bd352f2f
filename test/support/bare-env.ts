/**
 * The environment of a process that a test starts: it finds programs, and keeps compiled code for others of this run.
 */
export function bareEnv(): Record<string, string> {
  const { PATH = "", NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) };
}
