import { fileURLToPath } from 'node:url';
import { judgeRelease } from './check-contracts.ts';
import { readLock, writeLock } from './lock.ts';
import { presentState, type Released } from './released.ts';

// `npm run contracts:snapshot`: what is new since the last release is held from now on.
const now = presentState(fileURLToPath(new URL('../../', import.meta.url)));
const released = readLock();
const { broken } = judgeRelease(released, now);
if (broken.length > 0) {
  console.error(`Nothing was locked. What is released has changed:\n\n${broken.join('\n')}`);
  process.exit(1);
}
writeLock(now);
for (const kind of ['migrations', 'events', 'calls'] as const satisfies (keyof Released)[]) {
  const added = Object.keys(now[kind]).filter((name) => !(name in released[kind]));
  console.log(
    `${kind}: ${Object.keys(now[kind]).length} held, ${added.length} of them new${added.map((name) => `\n  ${name}`).join('')}`,
  );
}
