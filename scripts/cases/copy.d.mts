export function inTodaysWords(text: string): string;
export function copyOf(folder: string): string;
