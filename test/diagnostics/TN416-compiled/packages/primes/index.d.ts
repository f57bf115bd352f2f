export * from "./prime.js";
