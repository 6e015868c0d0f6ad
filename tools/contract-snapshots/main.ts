import { fileURLToPath } from 'node:url';
import { checkRelease, loadSnapshot, type Released, readCurrentContracts, saveSnapshot } from './released.ts';

// `npm run contracts:snapshot` marks everything new since the last release as released.
const current = readCurrentContracts(fileURLToPath(new URL('../../', import.meta.url)));
const released = loadSnapshot();
const { broken } = checkRelease(released, current);
if (broken.length > 0) {
  console.error(`Nothing was saved. Released contracts have changed:\n\n${broken.join('\n')}`);
  process.exit(1);
}
saveSnapshot(current);
for (const kind of ['migrations', 'events', 'calls'] as const satisfies (keyof Released)[]) {
  const added = Object.keys(current[kind]).filter((name) => !(name in released[kind]));
  console.log(
    `${kind}: ${Object.keys(current[kind]).length} saved, ${added.length} of them new${added.map((name) => `\n  ${name}`).join('')}`,
  );
}
