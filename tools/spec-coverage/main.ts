import { existsSync } from 'node:fs';
import { COVERAGE_DIR } from '@atrium/dev-server/test-runner/coverage-records';
import { readSeen } from './seen-texts.ts';
import { matchTexts, type TextMatch } from './spec-matcher.ts';
import { STRINGS, UNSHOWN } from './strings.ts';

// `npm run spec:coverage`, which also runs at the end of `npm test`, reports which specification texts browsers and the
// API showed in the last full run.
const folder = process.env.CONTRACT_COVERAGE_DIR ?? COVERAGE_DIR;
if (!existsSync(folder)) {
  console.error('No coverage records yet. Run `npm test -- browser` first.');
  process.exit(1);
}
const showsMissingOnly = process.argv.includes('--missing');
const matches = matchTexts(STRINGS, readSeen(folder));
const unseen = matches.filter(({ seenAt }) => seenAt.length === 0);
const formatMatch = ({ section, shown, text, seenAt }: TextMatch): string =>
  `§${section}  ${shown}: ${JSON.stringify(text)}\n      ${seenAt.length > 0 ? seenAt.join(', ') : 'NEVER SEEN'}`;
for (const match of showsMissingOnly ? unseen : matches) console.log(formatMatch(match));
if (!showsMissingOnly) console.log(`\nOn no screen, so not checked: ${UNSHOWN.join(', ')}`);
console.log(`\n${STRINGS.length} texts, ${unseen.length} never seen where they must appear`);
process.exitCode = unseen.length > 0 ? 1 : 0;
