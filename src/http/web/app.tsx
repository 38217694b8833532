import { effect } from "@preact/signals";
import type { JSX } from "preact";
import { link, pane } from "./model/store.js";
import { choice, theme } from "./model/theme.js";
import { Activity } from "./views/activity.js";
import { Attention } from "./views/attention.js";
import { Boundary } from "./views/boundary.js";
import { Plots } from "./views/plots.js";
import { Server } from "./views/server.js";
import { Servers } from "./views/servers.js";
import { Login } from "./views/login.js";
import { Help, Locked } from "./views/help.js";
import { Banners, Notices, Panes, Top } from "./views/top.js";

effect(() => {
  document.documentElement.dataset["theme"] = theme.value;
  document.documentElement.dataset["choice"] = choice.value;
});

/** The whole page. */
export function App({ loginProblem }: { loginProblem: string }): JSX.Element {
  if (link.value === "locked") return <Locked problem={loginProblem} />;
  return (
    <div class={`page show-${pane.value}`}>
      <Top />
      <div class="notes">
        <Banners />
        <Boundary name="What needs attention">
          <Attention />
        </Boundary>
      </div>
      <main>
        <Servers />
        <div class="middle">
          <Boundary name="The charts">
            <Plots />
          </Boundary>
          <Boundary name="The server">
            <Server />
          </Boundary>
        </div>
        <Activity />
      </main>
      <Panes />
      <Notices />
      <Help />
      <Login />
    </div>
  );
}
