import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { z } from 'zod';
import { skaffoldContent } from '../skaffold.ts';

/**
 * Validates `skaffold.yaml` against skaffold's own schema, which is `docs-v2/content/en/schemas/v4beta11.json` in its repository. No package
 * registry has it, so it must be downloaded first:
 *
 *     node tests/deploy/schemas/check-skaffold.ts <v4beta11.json>
 */
const [file] = process.argv.slice(2);
if (!file) throw new Error('Missing argument: the schema file docs-v2/content/en/schemas/v4beta11.json of skaffold');
const schema = z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(file, 'utf8')));
const ajv = new Ajv({ strict: false, allErrors: true });
const validate = ajv.compile(schema);
const violations = (content: unknown) => (validate(content) ? [] : (validate.errors ?? []));
const found = violations(skaffoldContent());
for (const { instancePath, message } of found) process.stdout.write(`${instancePath} ${message}\n`);
if (violations({ ...skaffoldContent(), buidl: {} }).length === 0) throw new Error('The schema accepts unknown fields');
process.stdout.write(found.length === 0 ? 'skaffold.yaml is valid.\n' : `${found.length} errors.\n`);
process.exitCode = found.length === 0 ? 0 : 1;
