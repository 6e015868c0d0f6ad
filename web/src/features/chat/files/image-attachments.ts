import type { Attachment } from '@atrium/proto-events/http/chat-attachments';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import { previewKind } from '@atrium/proto-events/preview-kind';
import type { Size } from './image-rows.ts';

/** Types that browsers can preview before upload. */
const PREVIEWABLE_TYPES = new Set([
  'image/jpeg',
  'image/png',
  'image/apng',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
]);

export const isPreviewable = (mimetype: string): boolean => PREVIEWABLE_TYPES.has(mimetype);

/** An image with a thumbnail and known dimensions. */
export type ImageAttachment = Attachment & Size;

export const isImageAttachment = <File extends Attachment>(file: File): file is File & Size =>
  previewKind(file.mimetype) === 'image' && file.width !== undefined && file.height !== undefined && !file.fileLost;

/** The attachments of messages that were not deleted, in order. */
export const filesOf = (messages: readonly Message[]): Attachment[] =>
  messages.flatMap(({ deleted, attachments = [] }) => (deleted ? [] : attachments.filter(({ fileLost }) => !fileLost)));
