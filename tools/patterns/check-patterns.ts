// Part of `npm run check`: rejects regular expressions that can take more than linear time.
import { findSlowness } from './analyze-pattern.ts';
import { readSourcePatterns, type SourcePattern } from './source-files.ts';

const verdicts = new Map<string, string | undefined>();

function checkPattern(pattern: SourcePattern): string | undefined {
  if ('unknown' in pattern) return `is ${pattern.unknown}: build it from constants and RegExp.escape`;
  const key = `/${pattern.source}/${pattern.flags}`;
  if (!verdicts.has(key)) verdicts.set(key, findSlowness(pattern.source, pattern.flags));
  const slowness = verdicts.get(key);
  return slowness && `${key}: ${slowness}`;
}

const patterns = readSourcePatterns();
const violations = patterns.flatMap((pattern) => {
  const violation = checkPattern(pattern);
  return violation ? [`${pattern.file}:${pattern.line} ${violation}`] : [];
});
for (const violation of violations) console.error(violation);
if (violations.length > 0) console.error('See CONTRIBUTING.md, "How to write a regular expression".');
else console.log(`${patterns.length} regular expressions run in linear time.`);
process.exitCode = violations.length > 0 ? 1 : 0;
