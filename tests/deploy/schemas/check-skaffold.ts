import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { z } from 'zod';
import { skaffoldContent } from '../skaffold.ts';

/**
 * Holds `skaffold.yaml` against skaffold's own schema, which its repository has as `docs-v2/content/en/schemas/v4beta11.json`; no package
 * registry has it, so it is asked for:
 *
 *     node tests/deploy/schemas/check-skaffold.ts <v4beta11.json>
 */
const [file] = process.argv.slice(2);
if (!file) throw new Error('Name the file of the schema: docs-v2/content/en/schemas/v4beta11.json of skaffold');
const schema = z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(file, 'utf8')));
const ajv = new Ajv({ strict: false, allErrors: true });
const validate = ajv.compile(schema);
const faults = (content: unknown) => (validate(content) ? [] : (validate.errors ?? []));
const found = faults(skaffoldContent());
for (const { instancePath, message } of found) process.stdout.write(`${instancePath} ${message}\n`);
if (faults({ ...skaffoldContent(), buidl: {} }).length === 0) throw new Error('this schema refuses nothing');
process.stdout.write(found.length === 0 ? 'skaffold.yaml fits.\n' : `${found.length} faults.\n`);
process.exitCode = found.length === 0 ? 0 : 1;
