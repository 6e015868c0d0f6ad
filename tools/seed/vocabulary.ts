import type { SeededRandom } from './seeded-random.ts';

const parts = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Most frequent first: in a natural language a few words are in nearly every text. */
const FREQUENT_WORDS = parts(`
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

/** Word frequencies of a natural language (Zipf). */
export function createWriter(random: SeededRandom): { word(): string; text(words: number): string } {
  const words = new Set(FREQUENT_WORDS);
  while (words.size < SIZE) {
    const middle = Array.from({ length: random.whole(3) }, () => random.one(MIDDLES)).join('');
    words.add(random.one(BEGINNINGS, 1.4) + middle + random.one(ENDINGS, 1.3));
  }
  const ranked = [...words];
  // The logarithm of the rank is uniformly distributed.
  const word = () => ranked[Math.floor(SIZE ** (random.whole(1 << 24) / (1 << 24)))] ?? 'the';
  const sentence = () => {
    const line = Array.from({ length: 5 + random.whole(16) }, word).join(' ');
    return `${line.charAt(0).toUpperCase()}${line.slice(1)}.`;
  };
  return {
    word,
    text(length) {
      const sentences: string[] = [];
      for (let remaining = length; remaining > 0; remaining -= 13)
        sentences.push(sentence() + (random.happens(0.2) ? '\n' : ' '));
      return sentences.join('').trim();
    },
  };
}
