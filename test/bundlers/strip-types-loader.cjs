// What ts-loader and its kin do, for the webpack test: TypeScript to JavaScript, with a source map.
const { transform } = require("esbuild");

module.exports = function stripTypes(source, inputMap) {
  const done = this.async();
  const inline = inputMap
    ? `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(inputMap)).toString("base64")}`
    : "";
  transform(source + inline, {
    loader: "ts",
    sourcefile: this.resourcePath,
    sourcemap: true,
    target: "es2024",
  }).then(({ code, map }) => done(null, code, JSON.parse(map)), done);
};
