import type { Plugin } from "esbuild";
import type { TenonOptions } from "./options.ts";
import { tenon } from "./unplugin.ts";

const plugin: (options?: TenonOptions) => Plugin = tenon.esbuild;
export default plugin;
