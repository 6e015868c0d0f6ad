import type { Attachment } from '@atrium/proto-events/http/chat-attachments';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import { previewKind } from '@atrium/proto-events/preview-kind';
import type { Size } from './image-rows.ts';

/** What a browser shows of a file that is chosen here, before it is sent. */
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

/** An image of which pictures are made, and of which it is known how large it is. */
export type Pictured = Attachment & Size;

export const isPictured = <File extends Attachment>(file: File): file is File & Size =>
  previewKind(file.mimetype) === 'image' && file.width !== undefined && file.height !== undefined && !file.fileLost;

/** The files of messages that are there, in their order. */
export const filesOf = (messages: readonly Message[]): Attachment[] =>
  messages.flatMap(({ deleted, attachments = [] }) => (deleted ? [] : attachments.filter(({ fileLost }) => !fileLost)));
