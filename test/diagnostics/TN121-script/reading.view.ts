import { readFileSync } from "node:fs";

document.body.textContent = readFileSync("/etc/hosts", "utf8");
