import { updateDocumentBody } from '@atrium/proto-events/http/documents';
import { z } from 'zod';
import { parseTags } from '#entities/document/document-labels.ts';

/** The Edit Document form; tags as typed, separated by commas. */
export type EditDocumentValues = { name: string; description: string; visibility: string; tags: string };

export const editDocumentSchema = z.preprocess(
  (values: EditDocumentValues) => ({ ...values, tags: parseTags(values.tags) }),
  updateDocumentBody,
);
