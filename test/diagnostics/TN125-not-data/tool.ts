import type { JobContext } from "tenon";

class Client {
  readonly id: string = "";
  handle(): string {
    return this.id;
  }
}

class Secret {
  #value = 1;
  read: number = this.#value;
}

class Money {
  amount: number = 0;
  get cents(): number {
    return this.amount * 100;
  }
}

interface Open {
  client: { handle: () => void };
}

declare function open(): Promise<Open>;
declare function anything(): Promise<any>;
declare function response(): Promise<Response>;
declare function symbols(): { kind: symbol };

/**
 * Keeps what is more than data.
 * @tool
 */
export async function run(job: JobContext): Promise<void> {
  await job.step("open", open);
  await job.step("client", () => [new Client()]);
  await job.step("secret", () => new Secret());
  await job.step("money", () => new Money());
  await job.step("anything", anything);
  await job.step("unknown", (): { value: unknown } => ({ value: 1 }));
  await job.step("symbols", symbols);
  await job.step("function", () => () => 1);
  await job.step("words", () => new Intl.Segmenter());
  await job.step("response", response);
  await job.step("map", () => new Map([["a", { run: () => 1 }]]));
  await job.step("record", (): { all: Record<string, any> } => ({ all: {} }));
  await job.wait("untyped");
}
