const SIZE = 1_000_000;

const fill = (unit: string, size = SIZE) => unit.repeat(Math.ceil(size / unit.length)).slice(0, size);

/** Texts of a megabyte that are slow for some patterns, transformations, or number parsers. */
const TEXTS: Readonly<Record<string, string>> = {
  letters: fill('a'),
  'capital letters': fill('A'),
  dots: `a@${fill('.')}@`,
  ats: fill('@'),
  'at and dot': fill('a@b.'),
  spaces: fill(' '),
  'a word within spaces': `a${fill(' ')}a`,
  'one-letter words': fill('a '),
  'line ends': fill('\r\n'),
  digits: fill('1'),
  zeros: fill('0'),
  'a number with decimals': `1.${fill('1')}`,
  'a number with an exponent': `1e${fill('9')}`,
  commas: fill(','),
  'known words': fill('todo,'),
  'short words': fill('a,'),
  hyphens: fill('-'),
  slashes: `http://${fill('/')}`,
  'a path of dots': `http://a/${fill('../')}`,
  percents: `http://${fill('%2e')}`,
  brackets: fill('['),
  colons: fill(':'),
  'combining characters': `a${fill('\u0301')}`,
  'letters that become longer in lower case': fill('\u0130'),
  surrogates: fill('\u{1F600}'),
  'a time with decimals': `2030-01-01T00:00:00.${fill('1')}Z`,
  'a zone of a million letters': `Europe/${fill('a')}`,
};

/**
 * Builds a string of combining marks in descending order of their combining classes, the worst case for normalization.
 * It is as long as the longest accepted text.
 */
const buildMarks = (size: number, last: string) => `a${'\u0345'.repeat(size / 2 - 1)}${last.repeat(size / 2)}`;
const MARKS = Object.fromEntries(
  [10_000, 20_000].flatMap((size) => [
    [`${size} marks`, buildMarks(size, '\u0334')],
    [`${size} letters that become marks`, buildMarks(size, '\uff9e')],
  ]),
);

const nestArrays = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);

const buildObject = (keys: number) => Object.fromEntries(Array.from({ length: keys }, (_, n) => [`k${n}`, 0]));

/** Arrays and objects of a megabyte, and the largest number. */
const STRUCTURES: Readonly<Record<string, unknown>> = {
  '450,000 numbers': Array(450_000).fill(0),
  '200,000 nulls': Array(200_000).fill(null),
  '250,000 texts': Array(250_000).fill('a'),
  '300,000 empty texts': Array(300_000).fill(''),
  '37,000 ids': Array.from({ length: 37_000 }, (_, n) => n.toString(16).padStart(24, '0')),
  '100,000 objects': Array.from({ length: 100_000 }, () => ({ a: {} })),
  '100,000 lists': Array.from({ length: 100_000 }, () => [[]]),
  'a list with one string of a megabyte': [fill('.')],
  '30 long texts': Array(30).fill(fill('a ', 33_000)),
  '400 long texts': Array(400).fill(fill('.', 2_500)),
  '50,000 short texts': Array.from({ length: 50_000 }, (_, n) => `text ${n}`),
  'lists in lists': nestArrays(300_000),
  '100,000 fields': buildObject(100_000),
  'the largest number': Number.MAX_VALUE,
};

/** All hostile values, each with a label for the report. */
export const HOSTILE_VALUES: readonly (readonly [label: string, value: unknown])[] = [
  ...Object.entries(TEXTS),
  ...Object.entries(MARKS),
  ...Object.entries(STRUCTURES),
];
