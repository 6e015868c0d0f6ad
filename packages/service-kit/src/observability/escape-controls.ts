/** C0 but for the tab, DEL, C1, and the separators of lines and paragraphs. */
const CONTROLS = /(?!\t)[\p{Cc}\p{Zl}\p{Zp}]/gu;

const toEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * One line of a log without anything that a terminal or a reader of lines obeys: each such character as JSON writes it (`\u009b`), so that
 * a line of JSON keeps its meaning.
 */
export const escapeControls = (line: string): string => line.replace(CONTROLS, toEscape);
