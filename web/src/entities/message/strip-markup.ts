/** More than previews show; some patterns take the square of the length. */
const MAX_LENGTH = 600;

const FENCE = /^ {0,3}(?:`{3,}[^`\n]*|~{3}[^\n]*)$/gm;
const QUOTE = /^[ \t]*(?:>[ \t]?)+/gm;
const BULLET_OR_HEADING = /^[ \t]*(?:[-+*]|#{1,6})[ \t]+/gm;
/** A line between sections, or the one below the head of a table. */
const RULE = /^(?=[ \t|:]*-)[ \t|:-]*$/gm;
const TABLE_ROW = /^[ \t]*\|.*\|[ \t]*$/gm;
const LINK = /!?\[([^[\]\n]*)\]\([^()\s]*\)/g;
const CODE = /(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/gs;
const STRONG = /(\*\*|~~)(?=\S)(.+?)(?<=\S)\1/gs;
const EMPHASIS = /\*(?=\S)([^*]+)(?<=\S)\*/g;
const UNDERSCORES = /(?<![\p{L}\p{N}_])(__?)(?=[^\s_])(.+?)(?<=\S)\1(?![\p{L}\p{N}_])/gsu;
const ESCAPE = /\\([!-/:-@[-`{-~])/g;

/** Returns the start of a message as plain text for a preview, which needs no parser. */
export function stripMarkup(text: string): string {
  return text
    .slice(0, MAX_LENGTH)
    .replace(FENCE, '')
    .replace(QUOTE, '')
    .replace(BULLET_OR_HEADING, '')
    .replace(RULE, '')
    .replace(TABLE_ROW, (row) => row.split('|').join(' '))
    .replace(LINK, '$1')
    .replace(CODE, '$2')
    .replace(STRONG, '$2')
    .replace(EMPHASIS, '$1')
    .replace(UNDERSCORES, '$2')
    .replace(ESCAPE, '$1');
}
