import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

const composeSchema = z.object({ services: z.record(z.string(), z.object({ image: z.string() })) });

export const readImage = (name: string): string => {
  const file = new URL('../../../deploy/compose.yaml', import.meta.url);
  const image = composeSchema.parse(parse(readFileSync(file, 'utf8'), { merge: true })).services[name]?.image;
  if (!image) throw new Error(`deploy/compose.yaml has no image for ${name}`);
  return image;
};
