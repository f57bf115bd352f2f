import { Service, startBatchService } from "tenon";

/** Says hello. @tool */
export function hello(): string {
  return "hello";
}

/** Says goodbye. @tool */
export function goodbye(): string {
  return "goodbye";
}

const workers = { hello, goodbye };
const wanted = process.env["WORKER"] === "hello" ? "hello" : "goodbye";
await startBatchService(new Service({ name: "Greetings" }), workers[wanted]);
