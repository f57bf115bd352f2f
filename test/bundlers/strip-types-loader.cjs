// What ts-loader and its kin do, for the webpack test: TypeScript to JavaScript, with a source map.
const { transform } = require("esbuild");

module.exports = async function stripTypes(source, inputMap) {
  const done = this.async();
  const inline = inputMap
    ? `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(inputMap)).toString("base64")}`
    : "";
  try {
    const options = { loader: "ts", sourcefile: this.resourcePath, sourcemap: true, target: "es2024" };
    const { code, map } = await transform(source + inline, options);
    done(null, code, JSON.parse(map));
  } catch (error) {
    done(error);
  }
};
