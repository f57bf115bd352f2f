import { hello } from "./tool.ts";

document.body.textContent = hello();
