/**
 * True when esbuild was called for a single build, in the same turn. The filter of a context would be used for all its
 * builds, between which files may be added. esbuild's plugins can see the kind of call only in the call stack. If the
 * stack does not show it, as behind an asynchronous plugin, the answer is false.
 */
export function isCalledByBuild(): boolean {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 30;
  const { stack = "" } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  const callers = stack.split("\n").filter((line) => /[\\/]esbuild[\\/]lib[\\/]main\.js:/.test(line));
  const isCalledBy = (name: string): boolean => callers.some((line) => line.includes(`.${name} (`));
  return isCalledBy("build") && !isCalledBy("context");
}
