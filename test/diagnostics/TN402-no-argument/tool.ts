import { Service } from "tenon";

export const service = new (Service as new () => Service)();
export const other = new Service();
