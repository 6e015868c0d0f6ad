const SIZE = 1_000_000;

const filled = (unit: string, size = SIZE) => unit.repeat(Math.ceil(size / unit.length)).slice(0, size);

/** Texts of a megabyte that are known to be slow for patterns, transformations, and number parsers. */
const TEXTS: Readonly<Record<string, string>> = {
  letters: filled('a'),
  'capital letters': filled('A'),
  dots: `a@${filled('.')}@`,
  ats: filled('@'),
  'at and dot': filled('a@b.'),
  spaces: filled(' '),
  'a word within spaces': `a${filled(' ')}a`,
  'words of one letter': filled('a '),
  'line ends': filled('\r\n'),
  digits: filled('1'),
  zeros: filled('0'),
  'a number with decimals': `1.${filled('1')}`,
  'a number with an exponent': `1e${filled('9')}`,
  commas: filled(','),
  'known words': filled('todo,'),
  'short words': filled('a,'),
  hyphens: filled('-'),
  slashes: `http://${filled('/')}`,
  'a path of dots': `http://a/${filled('../')}`,
  percents: `http://${filled('%2e')}`,
  brackets: filled('['),
  colons: filled(':'),
  'combining characters': `a${filled('\u0301')}`,
  'letters that grow': filled('\u0130'),
  surrogates: filled('\u{1F600}'),
  'a time with decimals': `2030-01-01T00:00:00.${filled('1')}Z`,
  'a zone of a million letters': `Europe/${filled('a')}`,
};

/** In descending order of their combining classes, which is the worst case for normalization; as long as the longest accepted text. */
const marks = (size: number, last: string) => `a${'\u0345'.repeat(size / 2 - 1)}${last.repeat(size / 2)}`;
const MARKS = Object.fromEntries(
  [10_000, 20_000].flatMap((size) => [
    [`${size} marks`, marks(size, '\u0334')],
    [`${size} letters that become marks`, marks(size, '\uff9e')],
  ]),
);

const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);

const wide = (keys: number) => Object.fromEntries(Array.from({ length: keys }, (_, n) => [`k${n}`, 0]));

/** Other values of a megabyte: arrays and objects. */
const STRUCTURES: Readonly<Record<string, unknown>> = {
  '450,000 numbers': Array(450_000).fill(0),
  '250,000 nulls': Array(200_000).fill(null),
  '250,000 texts': Array(250_000).fill('a'),
  '300,000 empty texts': Array(300_000).fill(''),
  '37,000 ids': Array.from({ length: 37_000 }, (_, n) => n.toString(16).padStart(24, '0')),
  '100,000 objects': Array.from({ length: 100_000 }, () => ({ a: {} })),
  '100,000 lists': Array.from({ length: 100_000 }, () => [[]]),
  'a text of a megabyte in a list': [filled('.')],
  '30 long texts': Array(30).fill(filled('a ', 33_000)),
  '400 long texts': Array(400).fill(filled('.', 2_500)),
  '50,000 short texts': Array.from({ length: 50_000 }, (_, n) => `text ${n}`),
  'lists in lists': nested(300_000),
  '100,000 fields': wide(100_000),
  'a number without an end': Number.MAX_VALUE,
};

/** Every hostile value with a name for the report. */
export const HOSTILE: readonly (readonly [name: string, value: unknown])[] = [
  ...Object.entries(TEXTS),
  ...Object.entries(MARKS),
  ...Object.entries(STRUCTURES),
];
