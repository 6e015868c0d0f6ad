/** Separates marks without being drawn (UAX #15, 13, Stream-Safe Text Format). */
const COMBINING_GRAPHEME_JOINER = '\u034f';
const MAX_MARKS = 30;
const MARK = /\p{M}/gu;
const LONG_RUN = /[\p{M}\uff9e\uff9f]{11,}/gu;

const markCounts = new Map<string, number>();

function countMarks(character: string): number {
  const cached = markCounts.get(character);
  if (cached !== undefined) return cached;
  const count = character.normalize('NFKD').match(MARK)?.length ?? 0;
  markCounts.set(character, count);
  return count;
}

function separateMarks(run: string, start: number, text: string): string {
  const precedingCharacter = [...text.slice(Math.max(0, start - 2), start)].at(-1) ?? '';
  let count = precedingCharacter.normalize('NFKD').match(MARK)?.length ?? 0;
  let separated = '';
  for (const character of run) {
    const marks = countMarks(character);
    if (character !== COMBINING_GRAPHEME_JOINER && count + marks > MAX_MARKS) {
      separated += COMBINING_GRAPHEME_JOINER;
      count = 0;
    }
    count = character === COMBINING_GRAPHEME_JOINER ? 0 : count + marks;
    separated += character;
  }
  return separated;
}

/**
 * Normalizes text (UAX #15) in linear time: `String.prototype.normalize` sorts marks by insertion, which takes
 * quadratic time on long runs. So text with more than 30 consecutive marks, counted in NFKD, is first put into
 * Stream-Safe Text Format. Idempotent.
 */
export const toNormalForm = (text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string =>
  text.replace(LONG_RUN, separateMarks).normalize(form);
