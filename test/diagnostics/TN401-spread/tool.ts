import { Service } from "tenon";

const base = { name: "x" };
export const service = new Service({ ...base, version: "1" });
