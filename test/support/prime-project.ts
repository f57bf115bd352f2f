/** The service of the README, as a user writes it. */
export const primeFiles: Readonly<Record<string, string>> = {
  "tsconfig.json": JSON.stringify({
    compilerOptions: {
      target: "es2023",
      module: "nodenext",
      types: ["node"],
      strict: true,
      skipLibCheck: false,
      noEmit: true,
    },
    include: ["src"],
  }),
  "src/service.ts": `import { Service, loggingInit, startLambdaServer } from "tenon";
import "./is-prime.js";

loggingInit();
await startLambdaServer(new Service({ name: "Prime numbers", description: "Tests numbers." }));
`,
  "src/is-prime.ts": `import { ValueError, type JobContext } from "tenon";

/** @schema urn:example:schema.is-prime.request.1 */
export interface PrimeRequest {
  /** The number to test. @type uint32 */
  number: number;
}

/** @schema urn:example:schema.is-prime.1 */
export interface PrimeResult {
  /** The number that was tested. */
  number: number;
  /** True when \`number\` has exactly two divisors. */
  isPrime: boolean;
}

/**
 * Tests whether a number is prime.
 * @tool
 * @readonly
 */
export async function isPrime(request: PrimeRequest, job: JobContext): Promise<PrimeResult> {
  return job.report.step("factorise", { message: \`Checking \${request.number}\` }, async () => {
    const { number } = request;
    if (number === 13) throw new ValueError("13 is not asked for here.");
    if (number === 666) throw new TypeError("secret detail");
    console.log("a line that must not reach standard output");
    for (let d = 2; d * d <= number; d += 1) if (number % d === 0) return { number, isPrime: false };
    return { number, isPrime: number > 1 };
  });
}
`,
};

export const primeAnswer = { $schema: "urn:example:schema.is-prime.1", number: 997, isPrime: true };
