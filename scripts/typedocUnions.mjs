// A TypeDoc plugin: a public union of words (failure kinds, causes, faults …) needs a line for each word. TypeDoc's own
// check ends at the name of the union.
import { Application, ReflectionKind } from "typedoc";

/** @param {Application} app */
export function load(app) {
  app.on(Application.EVENT_VALIDATE_PROJECT, (project) => {
    for (const alias of project.getReflectionsByKind(ReflectionKind.TypeAlias)) {
      const { type } = alias;
      if (type?.type !== "union" || type.types.some((each) => each.type !== "literal")) continue;
      const bare = type.types.filter((_, at) => !type.elementSummaries?.[at]?.length);
      if (bare.length === 0) continue;
      const words = bare.map((each) => each.value).join(", ");
      app.logger.validationWarning(`${alias.getFriendlyFullName()}: no documentation of its words ${words}`);
    }
  });
}
