import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { idParams } from '../fields.ts';

/** Why an image has no thumbnail: it exceeds the limits of memory, pixels, or time, or its content is invalid. */
export const thumbnailError = z.enum(['too-large', 'damaged']);
export type ThumbnailErrorReason = z.infer<typeof thumbnailError>;

/** Dimensions are in pixels. The file has no metadata such as location or camera. */
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

export const getDocumentPreview = endpoint({
  method: 'GET',
  path: '/documents/:id/preview',
  summary: 'Get a link to view a document, which does not count as a download',
  access: 'user',
  params: idParams,
  query: z.object({
    version: z.coerce
      .number()
      .int()
      .min(1)
      .max(2_147_483_647)
      .optional()
      .describe('The number of a file (`fileNumber`); the current one by default'),
  }),
  response: preview,
  status: 200,
  errors: ['not_found', 'unavailable'],
});
