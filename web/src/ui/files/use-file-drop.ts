import { type DragEvent, useRef, useState } from 'react';
import { hasFiles } from './has-files.ts';

type UseFileDropParams = {
  onFiles: (files: File[]) => void;
  /** Called when folders were dropped, which are skipped. */
  onFolders: () => void;
};

/**
 * Makes an element accept desktop files. Dragged text keeps its default behavior, which React Aria's drop zone would
 * block for fields inside.
 */
export function useFileDrop({ onFiles, onFolders }: UseFileDropParams) {
  const [isOver, setOver] = useState(false);
  /** Counts enters without a leave, because child elements fire both events as well. */
  const depth = useRef(0);
  const end = () => {
    depth.current = 0;
    setOver(false);
  };
  const handlers = {
    onDragEnter: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth.current += 1;
      setOver(true);
    },
    onDragOver: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      // Without this, the desktop may move the file.
      event.dataTransfer.dropEffect = 'copy';
    },
    onDragLeave: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth.current -= 1;
      if (depth.current <= 0) end();
    },
    onDrop: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      end();
      const { files, areFolders } = filesIn(event.dataTransfer);
      if (areFolders) onFolders();
      if (files.length > 0) onFiles(files);
    },
  };
  return { isOver, handlers };
}

/** A folder is reported as an unreadable file. */
function filesIn({ items }: DataTransfer): { files: File[]; areFolders: boolean } {
  const fileItems = [...items].filter(({ kind }) => kind === 'file');
  const isFolder = (item: DataTransferItem) => item.webkitGetAsEntry()?.isDirectory === true;
  const files = fileItems.filter((item) => !isFolder(item)).map((item) => item.getAsFile());
  return { files: files.filter((file) => file !== null), areFolders: fileItems.some(isFolder) };
}
