import { type CompiledProject, type CompileRequest, openSession } from "./session.ts";

/**
 * Compiles the tools that an entry imports, in memory and without a bundler. For commands that generate, compare or
 * show, and for tests.
 */
export async function compileProject(request: CompileRequest): Promise<CompiledProject> {
  const session = openSession(request);
  try {
    return await session.compile();
  } finally {
    session.dispose();
  }
}
