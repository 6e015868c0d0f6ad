import { readdirSync, readFileSync } from 'node:fs';

/** Components whose dialog is not in `DIALOGS`, with the reason. */
export const UNLISTED: Readonly<Record<string, string>> = {
  'app/shell/navigation/shown-link.tsx': 'opens only where the browser cannot copy',
  'features/chat/later/due-time-dialog.tsx': 'opens from a message that has the pointer; see `drafts.test.ts`',
  'features/chat/later/scheduled-dialogs.tsx': 'needs a scheduled message; see `drafts.test.ts`',
  'features/chat/mentions/confirm-notify.tsx': 'contains only a sentence, like the other confirmations',
  'features/chat/reactions/emoji-picker.tsx': 'opens from a message that has the pointer; see `reactions.test.ts`',
  'features/chat/messages/delete-message-dialog.tsx': 'contains only a sentence, like the other confirmations',
  'features/documents/document-preview.tsx': 'only shows that a document does not exist',
  'features/documents/document-overlay.tsx': 'only shows that a document does not exist',
  'features/documents/uploads/unfinished-uploads.tsx': 'needs an interrupted upload',
  'features/meetings/calendar-feed.tsx': 'needs a calendar link',
  'features/meetings/closing/closing-panel.tsx': 'needs a closed meeting',
  'features/meetings/details/rsvp-dialog.tsx': 'opens by the link of an email',
  'features/meetings/drag-and-drop/move-meeting-dialog.tsx': 'opens after a meeting was dragged',
  'features/meetings/response-buttons.tsx': 'needs an invitation to a series',
  'features/my-work/tasks/postpone-dialog.tsx': 'needs a task of the user; see `my-work.test.ts`',
  'features/tasks/task-comments.tsx': 'contains only a sentence, like the other confirmations',
};

const RENDERS_DIALOG =
  /<(?:Dialog|FormDialog|ResourceDialog|ResourceOverlay|ConfirmDialog|ModalFrame|Drawer|ShownLinkDialog)\b|react-aria-components\/(?:Dialog|Modal)'/;

/** Lists the components below `src` that render a dialog. */
export function findDialogSources(src: URL): string[] {
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => /^(?:app|entities|features)\/(?!gallery).*(?<!\.test)\.tsx$/.test(file))
    .filter((file) => RENDERS_DIALOG.test(readFileSync(new URL(file, src), 'utf8')));
}
