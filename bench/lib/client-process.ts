import { fork } from "node:child_process";

/** A process that sends requests; it inherits its core from its parent. */
export interface ClientProcess {
  /** Runs one round with that amount of work; resolves to microseconds of processor time per request. */
  round(work: number): Promise<{ readonly cpu: number }>;
  stop(): void;
}

/** Starts a module that calls `answerRounds`. */
export async function startClientProcess(module: string, args: readonly string[]): Promise<ClientProcess> {
  const child = fork(module, [...args], { env: { ...process.env, NODE_ENV: "production" } });
  const answer = <T>(): Promise<T> =>
    new Promise((resolve, reject) => {
      const fail = (code: number | null): void => reject(new Error(`A client ended with exit code ${code}.`));
      child.once("exit", fail);
      child.once("message", (message) => {
        child.off("exit", fail);
        resolve(message as T);
      });
    });
  await answer();
  return {
    round(work) {
      child.send(work);
      return answer();
    },
    stop: () => void child.kill("SIGKILL"),
  };
}

/** Runs the rounds that the parent process requests, and reports their cost. */
export function answerRounds(work: (index: number) => Promise<{ readonly cpu: number }>): void {
  process.on("message", (index) => {
    work(index as number).then((taken) => process.send?.(taken));
  });
  process.on("disconnect", () => process.exit(0));
  process.send?.("ready");
}
