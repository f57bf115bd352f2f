import type { Plugin } from "vite";
import type { TenonOptions } from "./options.ts";
import { tenon } from "./unplugin.ts";

const plugin: (options?: TenonOptions) => Plugin = tenon.vite;
export default plugin;
