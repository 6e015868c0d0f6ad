/** Letters of European languages, most frequent first, including as initials. */
const FREQUENT = 'enaitrsoldhucmgpbfvkwyzjxq';
const rarityOf = (letter: string) =>
  FREQUENT.indexOf(letter === ' ' ? 't' : letter.toLowerCase()) + 1 || FREQUENT.length + 1;
/** Present in nearly every text, hence not selective. */
const EVERYWHERE = new Set(['the', ' th', 'and', ' an', 'ing', 'ion']);
const MAX_TRIGRAMS = 3;

type Part = { part: string; rarity: number };
const byRarity = (a: Part, b: Part) => b.rarity - a.rarity;

/**
 * The rarest trigrams of a text by letter frequency, one per word: a row with all of them nearly always contains the
 * text, and two of one word match the same rows. A space marks the beginning or the end of a word and counts as a
 * character. In original case, since lowercasing is up to the database. Empty for a text without three consecutive
 * ASCII letters or digits, or a space next to two.
 */
export function rareTrigrams(text: string): string[] {
  const words = [...text.matchAll(/(?<=( ?))[A-Za-z0-9]+(?=( ?))/g)].map(([word, before, after]) =>
    rarestOf(`${before}${word}${after}`),
  );
  const firsts = words.flatMap(([first]) => first ?? []).toSorted(byRarity);
  const seconds = words.flatMap(([, second]) => second ?? []).toSorted(byRarity);
  const selective = firsts.filter(({ part }) => !EVERYWHERE.has(part.toLowerCase()));
  const chosen = selective.length > 1 ? selective.slice(0, MAX_TRIGRAMS) : [...firsts, ...seconds].slice(0, 2);
  return chosen.some(({ part }) => part.length === 3) ? chosen.map(({ part }) => part) : [];
}

/**
 * The two rarest non-overlapping trigrams of a word, with its surrounding spaces; for a single letter after a space,
 * both.
 */
function rarestOf(word: string): Part[] {
  const parts = /^ .$/.test(word) ? [word] : [...word.matchAll(/(?=(.{3}))/g)].map(({ 1: part = '' }) => part);
  const ranked = parts
    .map((part, index) => ({ part, index, rarity: [...part].reduce((sum, letter) => sum + rarityOf(letter), 0) }))
    .toSorted(byRarity);
  const [first] = ranked;
  const second = first && ranked.find(({ index }) => Math.abs(index - first.index) >= 3);
  return [first, second].filter((one) => one !== undefined);
}
