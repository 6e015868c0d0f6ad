// Part of `npm run check`: verifies that names, comments, and sentences use the standard terms of `words.txt`.
import { readFileSync } from 'node:fs';
import { listRepositoryFiles, readRepositoryFile } from '../repository-files.ts';
import { findWords, parseWords } from './find-words.ts';

const SCANNED = /\.(?:[cm]?[jt]sx?|md|ya?ml|sql|sh)(?:\.txt)?$/;
/** The number of ordinary uses of the listed words. Lower it when matches disappear, and never raise it. */
const MAX_MATCHES = 46;

const words = parseWords(readFileSync(new URL('./words.txt', import.meta.url), 'utf8'));
const files = listRepositoryFiles().filter((file) => SCANNED.test(file));
const findings = files.flatMap((file) =>
  findWords(file, readRepositoryFile(file), words).map(({ line, text, term }) => `${file}:${line} "${text}": ${term}`),
);
const shown = process.argv.slice(2);
for (const finding of findings)
  if (findings.length > MAX_MATCHES || shown.some((path) => finding.startsWith(path))) console.error(finding);
if (findings.length > MAX_MATCHES) {
  console.error(`${findings.length} matches of tools/vocabulary/words.txt, at most ${MAX_MATCHES} are allowed.`);
  process.exitCode = 1;
} else console.log(`${findings.length} matches of tools/vocabulary/words.txt, of at most ${MAX_MATCHES}.`);
