import sharp from 'sharp';

/** Makes a photo as a phone held sideways writes it: rotated by EXIF, with location and camera. */
export async function makePhoto(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const photo = await sharp({ create: { width, height, channels: 3, background: { r: 40, g: 90, b: 160 } } })
    .withExif({
      IFD0: { Make: 'Secretcam' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1' },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  return new Uint8Array(photo);
}

/** Makes an image with that many pixels in a few bytes. */
export async function makeHugeImage(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const options = { create: { width, height, channels: 3, background: '#888' }, limitInputPixels: false } as const;
  return new Uint8Array(await sharp(options).png().toBuffer());
}
