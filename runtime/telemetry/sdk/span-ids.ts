import { RandomIdGenerator } from "@opentelemetry/sdk-trace";
import type { IdGenerator } from "@opentelemetry/sdk-trace";

/** Ids of spans: random ones, or one that another thread has already given away. */
export interface SpanIds {
  readonly generator: IdGenerator;
  /** Runs `make`, whose span gets this id. */
  use<T>(spanId: string, make: () => T): T;
}

export function createSpanIds(): SpanIds {
  const random = new RandomIdGenerator();
  let next: string | undefined;
  return {
    generator: {
      generateTraceId: () => random.generateTraceId(),
      generateSpanId: () => next ?? random.generateSpanId(),
    },
    use(spanId, make) {
      next = spanId;
      try {
        return make();
      } finally {
        next = undefined;
      }
    },
  };
}
