import { createReadStream } from 'node:fs';
import { renderThumbnails } from '@atrium/object-store/thumbnails/render-thumbnails';

// Prints the thumbnail result for an image; used to test the service's container image.
const drawn = await renderThumbnails(createReadStream(process.argv[2] ?? ''), new AbortController().signal);
const result = 'failed' in drawn ? drawn : { width: drawn.thumbnail.width, height: drawn.thumbnail.height };
process.stdout.write(`${JSON.stringify(result)}\n`);
