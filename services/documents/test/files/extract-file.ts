import { createReadStream } from 'node:fs';
import { createTextExtractor } from '../../src/extraction/text-extractor.ts';

// Prints the extraction result for a file; used to test killed services and the container image.
const [path = '', type = ''] = process.argv.slice(2);
const extraction = await createTextExtractor({ concurrency: 1 }).extract(createReadStream(path), { type });
process.stdout.write(`${JSON.stringify(extraction)}\n`);
