import { z } from 'zod';

/** Why nothing is drawn of an image: it needs more memory, pixels or time than one may take, or its bytes are none that are read. */
export const thumbnailError = z.enum(['too-large', 'damaged']);
export type ThumbnailErrorReason = z.infer<typeof thumbnailError>;

/** A small picture that is made of an image; sides in pixels. It says neither where nor by what the image was taken. */
export const thumbnail = z.object({
  url: z.string().describe('A link that lives five minutes at most'),
  width: z.int(),
  height: z.int(),
});
export type Thumbnail = z.infer<typeof thumbnail>;

/** How a file can be looked at. */
export const preview = z.object({
  state: z
    .enum(['ready', 'pending', 'none'])
    .describe('`pending`: a picture is being made of it, ask again; `none`: it can only be downloaded'),
  url: z.string().optional().describe('Where `ready`: a link that lives five minutes at most and takes ranges'),
  mimetype: z.string().optional().describe('What the link answers; every text is text/plain'),
  reason: thumbnailError.optional().describe('Where `none`, of an image: why no picture is made of it'),
});
export type Preview = z.infer<typeof preview>;
