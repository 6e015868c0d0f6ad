import { type DragEvent, useRef, useState } from 'react';
import { hasFiles } from './has-files.ts';

type UseFileDropParams = {
  onFiles: (files: File[]) => void;
  /** Where folders are among what was dropped: they are left out. */
  onFolders: () => void;
};

/**
 * Makes an element a place for files from the desktop. Text that is dragged goes where it always goes, which React Aria's drop zone would
 * keep from a field inside of it.
 */
export function useFileDrop({ onFiles, onFolders }: UseFileDropParams) {
  const [isOver, setOver] = useState(false);
  /** Every element inside is entered and left, too. */
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
      // Else the desktop may take it for moved.
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

/** A folder comes as a file that cannot be read. */
function filesIn({ items }: DataTransfer): { files: File[]; areFolders: boolean } {
  const given = [...items].filter(({ kind }) => kind === 'file');
  const isFolder = (item: DataTransferItem) => item.webkitGetAsEntry()?.isDirectory === true;
  const files = given.filter((item) => !isFolder(item)).map((item) => item.getAsFile());
  return { files: files.filter((file) => file !== null), areFolders: given.some(isFolder) };
}
