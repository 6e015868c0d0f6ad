import { Socket } from 'node:net';
import { EXIT } from '../pictures.ts';
import { draw, ImageTooLargeError } from './draw.ts';

// Worker program: reads an image from standard input, and writes to descriptor 3 a line of JSON with the dimensions and
// lengths of its thumbnails, followed by their bytes. Started only by render-thumbnails.ts.

const service = new Socket({ fd: 3, readable: true, writable: true });
// Nothing is written there, so closing means that the service is gone.
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
