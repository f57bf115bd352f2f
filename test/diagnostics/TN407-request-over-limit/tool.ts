import { Service } from "tenon";

export const service = new Service({ name: "Resources" });
