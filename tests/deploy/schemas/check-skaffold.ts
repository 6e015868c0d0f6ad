import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { z } from 'zod';
import { skaffoldContent } from '../skaffold.ts';

/**
 * Validates `skaffold.yaml` against skaffold's own schema, `docs-v2/content/en/schemas/v4beta11.json` in its
 * repository. No package registry has it, so download it first:
 *
 *     node tests/deploy/schemas/check-skaffold.ts <v4beta11.json>
 */
const [file] = process.argv.slice(2);
if (!file) throw new Error('Missing argument: the schema file docs-v2/content/en/schemas/v4beta11.json of skaffold');
const schema = z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(file, 'utf8')));
const ajv = new Ajv({ strict: false, allErrors: true });
const validate = ajv.compile(schema);
const findErrors = (content: unknown) => (validate(content) ? [] : (validate.errors ?? []));
const errors = findErrors(skaffoldContent());
for (const { instancePath, message } of errors) process.stdout.write(`${instancePath} ${message}\n`);
if (findErrors({ ...skaffoldContent(), buidl: {} }).length === 0) throw new Error('The schema accepts unknown fields');
process.stdout.write(errors.length === 0 ? 'skaffold.yaml is valid.\n' : `${errors.length} errors.\n`);
process.exitCode = errors.length === 0 ? 0 : 1;
