import type { AnyStateNode, AnyTransitionDefinition } from "xstate";

/** A state and all states in it. */
export function nodes(node: AnyStateNode): AnyStateNode[] {
  return [node, ...Object.values(node.states).flatMap((each) => nodes(each))];
}

/** All transitions of a chart, one for each branch of each guard. */
export function transitions(root: AnyStateNode): AnyTransitionDefinition[] {
  return nodes(root).flatMap((node) => [node.always ?? [], ...node.transitions.values()].flat());
}

/** One line that tells which transition it is. */
export function nameOf({ source, eventType, guard, target }: AnyTransitionDefinition): string {
  const when = guard === undefined ? "" : ` [${typeof guard === "string" ? guard : JSON.stringify(guard)}]`;
  return `${source.id} -- ${eventType}${when} --> ${(target ?? []).map(({ id }) => id).join()}`;
}
