// As much of VS Code's extension host as an extension needs.
exports.workspace = { file: process.argv[2] };
