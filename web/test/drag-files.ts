import { createEvent, fireEvent } from '@testing-library/react';

export const buildFile = (name: string) => new File(['content'], name, { type: 'text/plain' });
const toDataTransferItem = (file: File) => ({
  kind: 'file',
  type: file.type,
  getAsFile: () => file,
  webkitGetAsEntry: () => ({ isFile: true }),
});

/** A folder with its content. */
export type Folder = { name: string; holds: readonly (File | Folder | Unreadable)[] };

/** A file without read permission. */
export type Unreadable = { unreadable: string };

function toEntry(file: File | Folder | Unreadable): object {
  if ('holds' in file) return buildFolder(file);
  const entry = { isFile: true, isDirectory: false };
  if (file instanceof File)
    return { ...entry, name: file.name, file: (onResult: (result: File) => void) => onResult(file) };
  const reject = (_onResult: unknown, fail: (error: unknown) => void) => fail(new DOMException('', 'NotReadableError'));
  return { ...entry, name: file.unreadable, file: reject };
}

/** Returns two entries per call, and none at the end. */
function buildFolder({ name, holds }: Folder) {
  const entries = holds.map(toEntry);
  const batches = [entries.slice(0, 2), entries.slice(2), []];
  const readEntries = (onResult: (entries: unknown) => void) => onResult(batches.shift());
  return { isFile: false, isDirectory: true, name, createReader: () => ({ readEntries }) };
}

/** Creates a data transfer of desktop files and a folder, which jsdom lacks. */
function createDataTransfer(files: readonly File[], folder: Folder) {
  return {
    effectAllowed: 'all',
    types: ['Files'],
    items: [
      ...files.map(toDataTransferItem),
      { kind: 'file', type: '', getAsFile: () => null, webkitGetAsEntry: () => buildFolder(folder) },
    ],
    files,
    getData: () => '',
  };
}

/** Dispatches a drag event on an element with the files and a folder, which contains the same files by default. */
export function drag(
  kind: 'dragEnter' | 'drop',
  target: Element,
  files: readonly File[],
  folder: Folder = { name: 'folder', holds: files },
): void {
  const event = createEvent[kind](target);
  Object.defineProperty(event, 'dataTransfer', { value: createDataTransfer(files, folder) });
  fireEvent(target, event);
}
