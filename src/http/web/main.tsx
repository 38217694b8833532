import { render } from "preact";
import { App } from "./app.js";
import { logIn } from "./model/api.js";
import { onKey } from "./model/keys.js";
import { openLink, watchLink } from "./model/link.js";
import { keepPlace, readPlace } from "./model/place.js";
import { now } from "./model/store.js";

/** Takes the one-time code out of the address before anything else, and turns it into a login. */
async function enter(): Promise<string> {
  const code = /^#login=([\w-]+)$/.exec(location.hash)?.[1];
  if (code === undefined) return "";
  window.history.replaceState(undefined, "", location.pathname);
  try {
    await logIn(code);
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function start(): Promise<void> {
  const loginProblem = await enter();
  const root = document.getElementById("app");
  if (root !== null) render(<App loginProblem={loginProblem} />, root);
  readPlace(location.hash);
  keepPlace();
  openLink();
  watchLink();
  setInterval(() => (now.value = Date.now()), 1000);
  addEventListener("keydown", onKey);
}

void start();
