import type { Chance } from './seeded-random.ts';

const parts = (text: string): readonly string[] => text.trim().split(/\s+/);

/** The frequent ones first, as in any language: a few words stand in nearly every text. */
const FIRST_WORDS = parts(`
  the and for that with this from are was have will not you our all can has been more when which their there they than other one about into
  after before each between must should also only over same such these those two week month year report team project plan work order budget
  customer contract meeting review result date time next last new first open due cost price part note list number page table figure`);
const BEGINNINGS = parts(
  'con pro com re in de dis ex per pre un sub inter trans over under out en ad al an ar be ca de di el fi fo ge ha im la le ma me mi mo na no op pa po ra ro sa se si so sta str ta te tra tri va ve vi wa we wi',
);
const MIDDLES = parts(
  'a e i o u ta te ti to la le li lo ra re ri ro na ne ni no ma me mi mo ca ce ci co da de di do sta ver man port form duct',
);
const ENDINGS = parts('tion ment ing ed er al ity ness able ance ive ous ly en es et or um ist ure age ant ic on');
const SIZE = 20_000;

/** Writes text whose words are as unevenly frequent as in a language (Zipf), with sentences and paragraphs. */
export function createWriter(chance: Chance): { word(): string; text(words: number): string } {
  const words = new Set(FIRST_WORDS);
  while (words.size < SIZE) {
    const middle = Array.from({ length: chance.whole(3) }, () => chance.one(MIDDLES)).join('');
    words.add(chance.one(BEGINNINGS, 1.4) + middle + chance.one(ENDINGS, 1.3));
  }
  const ranked = [...words];
  // The logarithm of a rank is evenly spread.
  const word = () => ranked[Math.floor(SIZE ** (chance.whole(1 << 24) / (1 << 24)))] ?? 'the';
  const sentence = () => {
    const line = Array.from({ length: 5 + chance.whole(16) }, word).join(' ');
    return `${line.charAt(0).toUpperCase()}${line.slice(1)}.`;
  };
  return {
    word,
    text(length) {
      const sentences: string[] = [];
      for (let left = length; left > 0; left -= 13) sentences.push(sentence() + (chance.happens(0.2) ? '\n' : ' '));
      return sentences.join('').trim();
    },
  };
}
