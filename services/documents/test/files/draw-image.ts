import { createReadStream } from 'node:fs';
import { renderThumbnails } from '@atrium/object-store/thumbnails/render-thumbnails';

// A program that prints what became of the pictures of an image: for a test of what an image of the service holds.
const drawn = await renderThumbnails(createReadStream(process.argv[2] ?? ''), new AbortController().signal);
const said = 'failed' in drawn ? drawn : { width: drawn.thumbnail.width, height: drawn.thumbnail.height };
process.stdout.write(`${JSON.stringify(said)}\n`);
