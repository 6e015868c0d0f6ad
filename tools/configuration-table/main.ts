import { writeFileSync } from 'node:fs';
import { PROCESSES, readVariables } from './read-variables.ts';
import { renderTable } from './render-table.ts';

// `npm run docs:config` regenerates the page of all variables from the schemas.
const variables = await Promise.all(PROCESSES.map(readVariables));
writeFileSync(new URL('../../docs/self-hosting/configuration.md', import.meta.url), renderTable(variables.flat()));
process.stdout.write('Wrote docs/self-hosting/configuration.md.\n');
