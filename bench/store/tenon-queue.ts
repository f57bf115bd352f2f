import { openPostgresStore } from "../../runtime/executor/store/postgres/open-postgres.ts";
import type { QueueContender } from "./queue.ts";
import { ownJob, queuedJob } from "./steps.ts";

export const tenonQueue: QueueContender = {
  name: "tenon",
  async open(url, schema) {
    const store = await openPostgresStore(`${url}?schema=${schema}`, { maxFinished: Infinity });
    return { through: queuedJob(store), submit: ownJob(store), close: async () => store.close() };
  },
};
