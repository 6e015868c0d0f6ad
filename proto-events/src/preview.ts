import { z } from 'zod';

/** Why an image has no thumbnail: it exceeds the limits of memory, pixels, or time, or its content is invalid. */
export const thumbnailError = z.enum(['too-large', 'damaged']);
export type ThumbnailErrorReason = z.infer<typeof thumbnailError>;

/** A thumbnail of an image; dimensions in pixels. Without metadata such as location or camera. */
export const thumbnail = z.object({
  url: z.string().describe('A link that expires within five minutes'),
  width: z.int(),
  height: z.int(),
});
export type Thumbnail = z.infer<typeof thumbnail>;

/** How a file can be viewed. */
export const preview = z.object({
  state: z
    .enum(['ready', 'pending', 'none'])
    .describe('`pending`: the image is being rendered, retry; `none`: it can only be downloaded'),
  url: z
    .string()
    .optional()
    .describe('With `ready`: a link that expires within five minutes and supports range requests'),
  mimetype: z.string().optional().describe('Content type of the link; all text is text/plain'),
  reason: thumbnailError.optional().describe('With `none`, for an image: why it cannot be rendered'),
});
export type Preview = z.infer<typeof preview>;
