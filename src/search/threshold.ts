/** Above these, `auto` offers tools by search: so many definitions, or their texts together, cost an agent too much. */
const mostTools = 40;
const mostCharacters = 24_000;

/** Whether so many tools with so many characters of definitions are too many to be offered one by one. */
export function areTooMany(tools: number, characters: number): boolean {
  return tools > mostTools || characters > mostCharacters;
}
