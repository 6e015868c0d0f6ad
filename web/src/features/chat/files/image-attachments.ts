import type { Attachment } from '@atrium/proto-events/http/chat-attachments';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import { previewKind } from '@atrium/proto-events/preview-kind';
import type { Size } from './image-rows.ts';

/** Types that browsers can preview before upload. */
const SHOWN_HERE = new Set([
  'image/jpeg',
  'image/png',
  'image/apng',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
]);

export const isShownHere = (mimetype: string): boolean => SHOWN_HERE.has(mimetype);

/** An image with a thumbnail and known dimensions. */
export type Pictured = Attachment & Size;

export const isPictured = <File extends Attachment>(file: File): file is File & Size =>
  previewKind(file.mimetype) === 'image' && file.width !== undefined && file.height !== undefined && !file.fileLost;

/** The attachments of messages that were not deleted, in order. */
export const filesOf = (messages: readonly Message[]): Attachment[] =>
  messages.flatMap(({ deleted, attachments = [] }) => (deleted ? [] : attachments.filter(({ fileLost }) => !fileLost)));
