import { early } from "./early.ts";

console.log(`[lazy-chunk] ${early}`);
