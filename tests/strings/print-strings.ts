import { filesThatAssert, testFiles } from './coverage.ts';
import type { SpecString } from './spec-string.ts';
import { STRINGS } from './strings.ts';

const files = testFiles();

function row(entry: SpecString): string {
  const found = filesThatAssert(entry, files);
  const where = found.length > 0 ? found.join(', ') : entry.owner === 'people' ? 'NO TEST' : `with ${entry.owner}`;
  return `§${entry.section}  ${entry.shown}: ${JSON.stringify(entry.text)}\n      ${where}`;
}

const missing = STRINGS.filter(({ owner }) => owner === 'people').filter(
  (entry) => filesThatAssert(entry, files).length === 0,
);
for (const entry of STRINGS) console.log(row(entry));
console.log(`\n${STRINGS.length} texts, ${missing.length} of accounts, people and projects without a test`);
process.exitCode = missing.length > 0 ? 1 : 0;
