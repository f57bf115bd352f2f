import type { Plugin } from "esbuild";
import { createBuild } from "../compile/build.ts";
import { setUpEsbuild } from "./hosts/esbuild-host.ts";
import { readOptions, type TenonOptions } from "../compile/options.ts";

const plugin: (options?: TenonOptions) => Plugin = (options) => {
  const build = createBuild(readOptions(options));
  return { name: "tenon", setup: (native) => setUpEsbuild(native, build) };
};
export default plugin;
