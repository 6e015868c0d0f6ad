/** C0 except the tab, DEL, C1, and the line and paragraph separators. */
const CONTROLS = /(?!\t)[\p{Cc}\p{Zl}\p{Zp}]/gu;

const toEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * A log line without control characters for terminals or line readers: each is escaped as in JSON (`\u009b`), so that
 * JSON lines keep their meaning.
 */
export const escapeControls = (line: string): string => line.replace(CONTROLS, toEscape);
