import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { idParams } from '../fields.ts';

/** How a file can be looked at. */
export const preview = z.object({
  state: z
    .enum(['ready', 'pending', 'none'])
    .describe('`pending`: a picture is being made of it, ask again; `none`: it can only be downloaded'),
  url: z.string().optional().describe('Where `ready`: a link that lives five minutes at most and takes ranges'),
  mimetype: z.string().optional().describe('What the link answers; every text is text/plain'),
});
export type Preview = z.infer<typeof preview>;

export const getDocumentPreview = endpoint({
  method: 'GET',
  path: '/documents/:id/preview',
  summary: 'A link to look at a document, which is no download',
  access: 'user',
  params: idParams,
  query: z.object({
    version: z.coerce.number().int().min(1).max(2_147_483_647).optional().describe('The present one by default'),
  }),
  response: preview,
  status: 200,
  errors: ['not_found', 'unavailable'],
});
