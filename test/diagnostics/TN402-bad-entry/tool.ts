import { Service } from "tenon";

export const service = new Service({ title: "x", version: 1, contact: { name: "Ann" }, license: "MIT" } as never);
