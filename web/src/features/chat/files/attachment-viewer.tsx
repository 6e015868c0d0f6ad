import type { Attachment, getAttachmentPreview } from '@atrium/proto-events/http/chat-attachments';
import { useEffect, useEffectEvent } from 'react';
import { FileViewer } from '#entities/file-viewer/file-viewer.tsx';
import type { ViewedFile } from '#entities/file-viewer/viewed-file.ts';
import { call } from '#lib/api/api.ts';
import { useAttachmentDownload } from './use-attachment-download.ts';
import { useSaveAttachment } from './use-save-attachment.ts';

type Props = {
  files: readonly Attachment[];
  shown: string;
  onShow: (id: string) => void;
  onClose: () => void;
};

/** The viewer for message attachments. Closes if the shown file is deleted. */
export function AttachmentViewer({ files, shown, onShow, onClose }: Props) {
  const download = useAttachmentDownload();
  const save = useSaveAttachment();
  const at = files.findIndex(({ _id }) => _id === shown);
  const isGone = at < 0;
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (isGone) close();
  }, [isGone]);
  if (isGone) return null;
  const viewed = files.map(({ _id, name, mimetype, size }): ViewedFile => {
    return {
      key: _id,
      name,
      mimetype,
      size,
      getLink: () => call<typeof getAttachmentPreview>('GET /chat/attachments/:id/preview', { params: { id: _id } }),
      onDownload: () => void download.run(_id),
      onSave: () => void save.run({ _id, size }),
    };
  });
  return <FileViewer files={viewed} at={at} onTurn={(to) => onShow(files[to]?._id ?? shown)} onClose={onClose} />;
}
