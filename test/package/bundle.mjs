// node bundle.mjs HOW ENTRY FOLDER: bundles a host program into FOLDER, everything in it but what its surroundings bring.
// A program of its own, so that no bundler lives in the process of the tests.
const [, , how, entry, folder] = process.argv;
const external = ["electron", "vscode"];

const bundlers = {
  async "esbuild-esm"(minify = false) {
    const { build } = await import("esbuild");
    const outfile = `${folder}/out.mjs`;
    await build({ ...common(), outfile, format: "esm", minify });
  },
  "esbuild-minified": () => bundlers["esbuild-esm"](true),
  async "esbuild-cjs"() {
    const { build } = await import("esbuild");
    await build({ ...common(), outfile: `${folder}/out.cjs`, format: "cjs" });
  },
  async rolldown() {
    const { rolldown } = await import("rolldown");
    const bundle = await rolldown({ input: entry, platform: "node", external, logLevel: "silent" });
    await bundle.write({ file: `${folder}/out.mjs`, format: "esm", codeSplitting: false });
    await bundle.close();
  },
  async "vite-ssr"() {
    const { build } = await import("vite");
    await build({
      configFile: false,
      logLevel: "silent",
      root: folder,
      ssr: { noExternal: true },
      build: {
        ssr: entry,
        outDir: `${folder}/ssr`,
        rolldownOptions: { external, output: { entryFileNames: "out.mjs" } },
      },
    });
  },
  async webpack() {
    const { default: webpack } = await import("webpack");
    const compiler = webpack({
      mode: "production",
      target: "node20",
      entry,
      context: folder,
      externals: { electron: "commonjs electron", vscode: "commonjs vscode" },
      optimization: { minimize: false, splitChunks: false },
      output: { path: folder, filename: "out.cjs", library: { type: "commonjs2" } },
    });
    const stats = await new Promise((resolve, reject) =>
      compiler.run((error, done) => (error ? reject(error) : resolve(done))),
    );
    await new Promise((resolve) => compiler.close(resolve));
    if (stats.hasErrors()) throw new Error(stats.toString({ all: false, errors: true }));
  },
};

await bundlers[how]();

function common() {
  return {
    entryPoints: [entry],
    bundle: true,
    platform: "node",
    target: "node20",
    external,
    logLevel: "error",
  };
}
