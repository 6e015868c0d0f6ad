import { existsSync } from 'node:fs';
import { EVIDENCE } from '@atrium/dev-server/test-runner/coverage-records';
import { readSeen } from './coverage-records.ts';
import { type Proof, prove } from './spec-matcher.ts';
import { STRINGS, UNSHOWN } from './strings.ts';

// `npm run spec:coverage`, and the end of `npm test`: what the browsers and the API of the last whole run have shown of the specification.
const folder = process.env.CONTRACT_COVERAGE_DIR ?? EVIDENCE;
if (!existsSync(folder)) {
  console.error('No run has left evidence yet: `npm test -- browser` does.');
  process.exit(1);
}
const isQuiet = process.argv.includes('--missing');
const proofs = prove(STRINGS, readSeen(folder));
const unseen = proofs.filter(({ seenAt }) => seenAt.length === 0);
const row = ({ section, shown, text, seenAt }: Proof): string =>
  `§${section}  ${shown}: ${JSON.stringify(text)}\n      ${seenAt.length > 0 ? seenAt.join(', ') : 'NEVER SEEN'}`;
for (const proof of isQuiet ? unseen : proofs) console.log(row(proof));
if (!isQuiet) console.log(`\nOn no screen, so not looked for: ${UNSHOWN.join(', ')}`);
console.log(`\n${STRINGS.length} texts, ${unseen.length} never seen where they must stand`);
process.exitCode = unseen.length > 0 ? 1 : 0;
