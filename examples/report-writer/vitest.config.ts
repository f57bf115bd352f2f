import tenon from "tenon/vite";
import { defineConfig } from "vitest/config";

export default defineConfig({ plugins: [tenon()] });
