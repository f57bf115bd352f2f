import * as t from "tenon";

export const service = new t.Service({ name: "Batch" });
await t.startBatchService(service);
