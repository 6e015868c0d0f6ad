import { createTextExtractor } from '../../src/extraction/text-extractor.ts';

// A program that prints what became of the text of a file: for tests of a service that is killed, and of what an image holds.
const [path = '', type = ''] = process.argv.slice(2);
const extraction = await createTextExtractor({ atOnce: 1 }).extract(path, { type });
process.stdout.write(`${JSON.stringify(extraction)}\n`);
