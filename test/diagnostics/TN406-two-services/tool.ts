import { Service } from "tenon";

export const one = new Service({ name: "one" });
export const two = new Service({ name: "two" });
