/**
 * The letter a to z that a pressed key stands for in a shortcut (UI Events, `key` and `code`). A layout that writes Latin letters
 * decides itself, so that shortcuts stay on the labeled keys of Dvorak and AZERTY; where a layout writes another script, the position
 * of the key decides. Undefined for any other key.
 */
export function keyLetter({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string | undefined {
  if (/^\p{Script=Latin}$/u.test(key)) return /^[a-z]$/i.test(key) ? key.toLowerCase() : undefined;
  return /^\p{L}/u.test(key) && [...key].length === 1 ? /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() : undefined;
}

const QUESTION_MARKS = ['?', '؟', '？', '՞', '፧'];

/** Whether the key writes a question mark, which several scripts have of their own. */
export const isQuestionMark = ({ key }: Pick<KeyboardEvent, 'key'>): boolean => QUESTION_MARKS.includes(key);
