import { Service } from "tenon";

export const service = new Service({ name: "x", version: process.env.VERSION ?? "1" });
