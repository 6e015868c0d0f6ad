import { useFileDrop } from '#ui/files/use-file-drop.ts';
import { showError } from '#ui/overlays/toast.ts';
import { chooseFiles } from './attachment-drafts.ts';

/** Attaches files that are dropped on a conversation or a thread to its next message. */
export const useAttachmentDrop = (logId: string) =>
  useFileDrop({
    onFiles: (files) => chooseFiles(logId, files),
    onFolders: () => showError('Folders cannot be attached', 'Please choose the files inside.'),
  });
