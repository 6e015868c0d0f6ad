import { createTextExtractor } from '@atrium/documents/extraction/text-extractor';

// A program that has a process of its own begun beside it, for bundle.test.ts: prints what became of a file.
const [path = '', type = ''] = process.argv.slice(2);
console.log(JSON.stringify(await createTextExtractor({ atOnce: 1 }).extract(path, { type })));
