/** The order of test files: those that take long begin first, so that no worker is alone with one at the end. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Longer than all others of their project, by computing or by waiting; without a cache Vitest goes by the size of
 * files.
 */
const long =
  /\/(?:new-user|on-platform|conformance|attacks|replicas-together|outages|platform-console|console-access|batch\/faults|fuzz-types|threads|postgres|model-control)\.test\.ts$|\/(?:call-and-check|check-against|views|package\/pack|(?:chaos|mcp)\/replicas|promises\/ways|bundlers\/(?:service|no-evaluation|optional-peer|page))\.test\.ts$/;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of the sequencer, not of an array
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => long.test(moduleId);
    // Within each project, since workers are of one project.
    const projects = [...Map.groupBy(sorted, ({ project }) => project).values()];
    return projects.flatMap((own) => [...own.filter(isLong), ...own.filter((file) => !isLong(file))]);
  }
}
