import { Component, type ComponentChildren, type JSX } from "preact";

/** A fault of one part of the page leaves the others standing, and says that there was one. */
export class Boundary extends Component<{ name: string; children: ComponentChildren }, { fault: string }> {
  override state = { fault: "" };

  static override getDerivedStateFromError(error: unknown): { fault: string } {
    return { fault: error instanceof Error ? error.message : String(error) };
  }

  override render(): JSX.Element {
    if (this.state.fault === "") return <>{this.props.children}</>;
    return (
      <p class="bad" role="alert">
        {this.props.name} cannot be shown: {this.state.fault}
      </p>
    );
  }
}
