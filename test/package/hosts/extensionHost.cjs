// Loads a bundled extension as VS Code does: by `require`, with the module `vscode` its own.
const extension = require("./out.cjs");

extension
  .activate({ subscriptions: [], globalStorageUri: { fsPath: process.argv[3] } })
  .then(() => extension.deactivate());
