import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { idParams } from '../fields.ts';
import { preview } from '../preview.ts';

export const getDocumentPreview = endpoint({
  method: 'GET',
  path: '/documents/:id/preview',
  summary: 'Get a link to view a document, which does not count as a download',
  access: 'user',
  params: idParams,
  query: z.object({
    version: z.coerce.number().int().min(1).max(2_147_483_647).optional().describe('The current one by default'),
  }),
  response: preview,
  status: 200,
  errors: ['not_found', 'unavailable'],
});
