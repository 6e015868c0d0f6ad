import { toNormalForm } from '@atrium/proto-events/text/normal-form';

const FULL_WIDTH = /^[\uff01-\uffee]$/;
const LATIN = /^\p{Script=Latin}$/u;
/** Letters and signs of one other script; a key may write several, such as Arabic lam and alef. */
const OTHER_LETTERS = /^(?!\p{Script=Inherited})[\p{L}\p{M}]+$/u;
const HAS_LATIN = /\p{Script=Latin}/u;

/** Whether the keyboard wrote a Latin letter last; undefined before the first letter. */
let wroteLatin: boolean | undefined;

/**
 * The letter a to z that a pressed key stands for in a shortcut (UI Events, `key` and `code`). A layout that writes Latin letters
 * decides itself, so that shortcuts stay on the labeled keys of Dvorak and AZERTY; where a layout writes another script, the position
 * of the key decides. Undefined for any other key.
 */
export function keyLetter({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string | undefined {
  const written = FULL_WIDTH.test(key) ? toNormalForm(key, 'NFKC') : key;
  if (LATIN.test(written)) {
    wroteLatin = true;
    return /^[a-z]$/i.test(written) ? written.toLowerCase() : undefined;
  }
  const position = /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase();
  if (OTHER_LETTERS.test(written) && !HAS_LATIN.test(written)) {
    wroteLatin = false;
    return position;
  }
  // Hebrew has signs on letter keys, as Dvorak has.
  return [...written].length === 1 && !isLatinLayout() ? position : undefined;
}

/** Until a letter is written, Hebrew is the language whose usual layout has signs on letter keys. */
const isLatinLayout = (): boolean => wroteLatin ?? !/^(?:he|iw|yi)\b/i.test(navigator.language);

const QUESTION_MARKS = ['?', '؟', '？', '՞', '፧'];

/** Whether the key writes a question mark, which several scripts have of their own. */
export const isQuestionMark = ({ key }: Pick<KeyboardEvent, 'key'>): boolean => QUESTION_MARKS.includes(key);
