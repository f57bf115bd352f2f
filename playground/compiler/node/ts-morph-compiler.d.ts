/** The compiler inside ts-morph, which has no types of its own. */
declare module "@ts-morph/common/dist/typescript.js" {
  import type { ts } from "ts-morph";

  const compiler: typeof ts & {
    /** Replaces the compiler's access to files. */
    setSys(system: Partial<ts.System>): void;
  };
  export default compiler;
}
