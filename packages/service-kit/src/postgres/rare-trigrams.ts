/** Letters of European languages, the frequent ones first; words begin with any. */
const FREQUENT = 'enaitrsoldhucmgpbfvkwyzjxq';
const rarityOf = (letter: string) =>
  FREQUENT.indexOf(letter === ' ' ? 't' : letter.toLowerCase()) + 1 || FREQUENT.length + 1;
/** What stands in nearly every text tells nothing. */
const EVERYWHERE = new Set(['the', ' th', 'and', ' an', 'ing', 'ion']);
const MAX_TRIGRAMS = 3;

type Part = { part: string; rarity: number };
const byRarity = (a: Part, b: Part) => b.rarity - a.rarity;

/**
 * The rarest trigrams of a text, by their letters, of each word one: a row that has all of them is nearly one that has the text, and two
 * of one word have the same rows. A space tells that a word begins or ends, and is one of three. As they stand in the text: only the
 * database knows how it puts them into lower case. None of a text without three letters of ASCII, or digits, or a space beside two.
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

/** Of a word, with the spaces around it, the two rarest trigrams that do not overlap; of a single letter after a space both. */
function rarestOf(word: string): Part[] {
  const parts = /^ .$/.test(word) ? [word] : [...word.matchAll(/(?=(.{3}))/g)].map(({ 1: part = '' }) => part);
  const ranked = parts
    .map((part, index) => ({ part, index, rarity: [...part].reduce((sum, letter) => sum + rarityOf(letter), 0) }))
    .toSorted(byRarity);
  const [first] = ranked;
  const second = first && ranked.find(({ index }) => Math.abs(index - first.index) >= 3);
  return [first, second].filter((one) => one !== undefined);
}
