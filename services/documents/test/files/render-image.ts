import { createReadStream } from 'node:fs';
import { renderThumbnails } from '@atrium/object-store/thumbnails/render-thumbnails';

// Prints the thumbnail result for an image; used to test the service's container image.
const rendered = await renderThumbnails(createReadStream(process.argv[2] ?? ''), new AbortController().signal);
const result = 'failed' in rendered ? rendered : { width: rendered.small.width, height: rendered.small.height };
process.stdout.write(`${JSON.stringify(result)}\n`);
