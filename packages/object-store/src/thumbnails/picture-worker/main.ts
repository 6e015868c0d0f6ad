import { Socket } from 'node:net';
import { EXIT } from '../pictures.ts';
import { draw, ImageTooLargeError } from './draw.ts';

// The program of a worker: it reads an image, which is its standard input, and writes to descriptor 3 a line of JSON with the sides of its
// pictures and how long they are, and then their bytes. It is begun by render-thumbnails.ts and by nobody else.

const service = new Socket({ fd: 3, readable: true, writable: true });
// Nobody writes there, so that it closes means that the service has gone.
service.on('close', () => process.exit(EXIT.damaged)).on('error', () => process.exit(EXIT.damaged));
service.resume();

try {
  const { thumbnail, preview } = await draw();
  const head = [thumbnail, preview].map(({ width, height, bytes }) => ({ width, height, length: bytes.length }));
  const line = Buffer.from(`${JSON.stringify(head)}\n`);
  service.write(Buffer.concat([line, thumbnail.bytes, preview.bytes]), () => process.exit(EXIT.drawn));
} catch (error) {
  process.exit(error instanceof ImageTooLargeError ? EXIT['too-large'] : EXIT.damaged);
}
