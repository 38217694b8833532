// As much of Electron as a main process needs: an app that is ready, has a folder, and asks before it quits.
const { EventEmitter } = require("node:events");

const emitter = new EventEmitter();
exports.app = Object.assign(emitter, {
  whenReady: () => Promise.resolve(),
  getPath: () => process.argv[3],
  quit: () => void emitter.emit("before-quit", { preventDefault() {} }),
  exit: (code) => process.exit(code),
});
