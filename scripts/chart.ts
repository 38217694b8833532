import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from "xstate";

/** A state as it is drawn. */
export interface ChartNode {
  /** Path from the machine, such as `alive.serving.ready`. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly parent: string | undefined;
  readonly kind: "compound" | "atomic" | "final";
  readonly initial: boolean;
  readonly tags: readonly string[];
  readonly invokes: readonly string[];
}

/** All ways from one state to another, one label each. */
export interface ChartEdge {
  readonly from: string;
  readonly to: string;
  readonly labels: readonly string[];
}

export interface Chart {
  readonly name: string;
  readonly nodes: readonly ChartNode[];
  readonly edges: readonly ChartEdge[];
  /** What is handled without leaving: state, event, what is done. */
  readonly inside: readonly { readonly state: string; readonly label: string; readonly actions: string }[];
}

/** A state machine as data that can be drawn and told; the order is the one of the machine's definition. */
export function chartOf(machine: AnyStateMachine): Chart {
  const states = below(machine.root);
  const ways = states.flatMap((node) => waysOf(node));
  const edges = new Map<string, ChartEdge>();
  for (const { from, to, label } of ways) {
    if (to === undefined) continue;
    const key = `${from} ${to}`;
    edges.set(key, { from, to, labels: [...new Set([...(edges.get(key)?.labels ?? []), label])] });
  }
  const inside = [...waysOf(machine.root), ...ways]
    .filter(({ to }) => to === undefined)
    .map(({ from, label, actions }) => ({ state: from, label, actions }));
  return { name: machine.id, nodes: states.map(nodeOf), edges: [...edges.values()], inside };
}

function below(node: AnyStateNode): AnyStateNode[] {
  return Object.values(node.states).flatMap((each) => [each, ...below(each)]);
}

function nodeOf(node: AnyStateNode): ChartNode {
  const { parent } = node;
  const first = parent?.initial.target?.some((each: AnyStateNode) => each.id === node.id) ?? false;
  return {
    id: idOf(node),
    name: node.key,
    description: node.description ?? "",
    parent: parent === undefined || parent.parent === undefined ? undefined : idOf(parent),
    kind: node.type === "compound" ? "compound" : node.type === "final" ? "final" : "atomic",
    initial: first,
    tags: node.tags,
    invokes: node.invoke.map(({ id }) => id),
  };
}

function waysOf(node: AnyStateNode) {
  return [node.always ?? [], ...node.transitions.values()].flat().map((each) => ({
    from: idOf(node),
    to: each.target?.[0] === undefined ? undefined : idOf(each.target[0]),
    label: labelOf(each),
    actions: each.actions.map(nameOf).join(", ") || "nothing",
  }));
}

function labelOf({ eventType, guard }: AnyTransitionDefinition): string {
  const name = nameOf(guard);
  const params = guard !== null && typeof guard === "object" && "params" in guard ? guard.params : undefined;
  // The decision of `deciding` names its target: the arrow shows it already.
  if (name === "goesTo") return String((params as { to?: string } | undefined)?.to);
  const event = eventOf(eventType);
  if (name === "") return event;
  return eventType === "" ? `[${words(name)}]` : `${event} [${words(name)}]`;
}

function eventOf(type: string): string {
  if (type === "") return "otherwise";
  const [, how, id] = /^xstate\.(done\.actor|error\.actor|after)\.([^.]+)/.exec(type) ?? [];
  if (how === undefined || id === undefined) return type;
  if (how === "after") return `after ${words(id)}`;
  return `${id === "*" ? "server" : id} ${how === "done.actor" ? "done" : "failed"}`;
}

function nameOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value !== null && typeof value === "object" && "type" in value ? String(value.type) : "";
}

function words(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function idOf(node: AnyStateNode): string {
  return node.path.join(".");
}
