const MAX_TITLE_LENGTH = 200;
const MAX_DESCRIPTION_LENGTH = 5_000;

/** Splits a line that is too long for a title: the title is its beginning, and the description is all of it. */
export function splitTitle(line: string): { title: string; description: string } {
  const title = cut(line, MAX_TITLE_LENGTH);
  return { title, description: title === line ? '' : cutDescription(line) };
}

export const cutDescription = (text: string, reserved = 0): string => cut(text, MAX_DESCRIPTION_LENGTH - reserved);

/** Cuts no surrogate pair. */
const cut = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`;
