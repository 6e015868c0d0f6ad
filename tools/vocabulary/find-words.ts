export type Word = { pattern: RegExp; isName: boolean; term: string };
/** A place where the standard term is missing; `line` counts from 1. */
type Finding = { line: number; text: string; term: string };

const GAP = String.raw`(?:[ \t-]|\s+(?:\*|//|#|--)?[ \t]*)`;
const SCRIPT = /\.[cm]?[jt]sx?(?:\.txt)?$/;
const JSX = /\.tsx(?:\.txt)?$/;
const PROSE = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/g;
const JSX_TEXT = />[^<>{}=();]+(?=[<{])/g;
const IDENTIFIER = /[A-Za-z_$][\w$]*/g;
const PHRASE = /\s/;
const NAME_PREFIX = 'name:';

/** Parses a word list. Throws if a line has no standard term. */
export function parseWords(list: string): Word[] {
  return list
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [source = '', term] = line.split('\t');
      if (!term) throw new Error(`No standard term in "${line}"`);
      const isName = source.startsWith(NAME_PREFIX);
      const pattern = isName
        ? new RegExp(`^(?:${source.slice(NAME_PREFIX.length)})$`)
        : new RegExp(`(?<![\\w'’])${source.replaceAll(' ', GAP)}(?!\\w)`, 'gi');
      return { pattern, isName, term };
    });
}

/** Finds listed words in a file. Reports a name only once. */
export function findWords(file: string, text: string, words: readonly Word[]): Finding[] {
  const names = words.filter(({ isName }) => isName);
  const phrases = words.filter(({ isName }) => !isName);
  const { prose, code } = SCRIPT.test(file) ? splitScript(text, JSX.test(file)) : { prose: text, code: '' };
  const inProse = phrases.flatMap(({ pattern, term }) =>
    [...prose.matchAll(pattern)].map(({ 0: found, index }) => ({ line: lineAt(text, index), text: found, term })),
  );
  const inNames = [...firstUses(code)].flatMap(([name, index]) => {
    const split = splitName(name);
    const word =
      names.find(({ pattern }) => pattern.test(split)) ?? phrases.find(({ pattern }) => split.search(pattern) !== -1);
    return word ? [{ line: lineAt(text, index), text: name, term: word.term }] : [];
  });
  return [...inProse, ...inNames].sort((a, b) => a.line - b.line);
}

/** Splits a script into prose and code. Each part has spaces in place of the other. */
function splitScript(text: string, isJsx: boolean) {
  const ranges = [...text.matchAll(PROSE), ...(isJsx ? text.matchAll(JSX_TEXT) : [])].filter(
    ({ 0: found }) => found.startsWith('/') || PHRASE.test(found.trim()),
  );
  const isProse = new Uint8Array(text.length);
  for (const { 0: found, index } of ranges) isProse.fill(1, index, index + found.length);
  const only = (kind: number) => text.replace(/[^\n]/g, (char, at: number) => (isProse[at] === kind ? char : ' '));
  return { prose: only(1), code: only(0) };
}

function firstUses(code: string): Map<string, number> {
  const uses = new Map<string, number>();
  for (const { 0: name, index } of code.matchAll(IDENTIFIER)) if (!uses.has(name)) uses.set(name, index);
  return uses;
}

/** `sendUpdate`, `send-update`, and `SEND_UPDATE` become separate words. */
const splitName = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/[-_$.]+/g, ' ')
    .trim();

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;
