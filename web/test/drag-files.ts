import { createEvent, fireEvent } from '@testing-library/react';

export const buildFile = (name: string) => new File(['words'], name, { type: 'text/plain' });
const itemOf = (file: File) => ({
  kind: 'file',
  type: file.type,
  getAsFile: () => file,
  webkitGetAsEntry: () => ({ isFile: true }),
});

/** A folder with its content. */
export type Folder = { name: string; holds: readonly (File | Folder | Unreadable)[] };

/** A file without read permission. */
export type Unreadable = { unreadable: string };

function entryOf(one: File | Folder | Unreadable): object {
  if ('holds' in one) return buildFolder(one);
  const isFile = { isFile: true, isDirectory: false };
  if (one instanceof File)
    return { ...isFile, name: one.name, file: (onResult: (file: File) => void) => onResult(one) };
  const refuse = (_onResult: unknown, fail: (error: unknown) => void) => fail(new DOMException('', 'NotReadableError'));
  return { ...isFile, name: one.unreadable, file: refuse };
}

/** Returns two entries per call, and none at the end. */
function buildFolder({ name, holds }: Folder) {
  const entries = holds.map(entryOf);
  const answers = [entries.slice(0, 2), entries.slice(2), []];
  const readEntries = (onResult: (entries: unknown) => void) => onResult(answers.shift());
  return { isFile: false, isDirectory: true, name, createReader: () => ({ readEntries }) };
}

/** A data transfer of desktop files and a folder, which jsdom lacks. */
function dragged(files: readonly File[], folder: Folder) {
  return {
    effectAllowed: 'all',
    types: ['Files'],
    items: [
      ...files.map(itemOf),
      { kind: 'file', type: '', getAsFile: () => null, webkitGetAsEntry: () => buildFolder(folder) },
    ],
    files,
    getData: () => '',
  };
}

/** Dispatches a drag event on an element with the files and a folder, which contains the same files by default. */
export function drag(
  kind: 'dragEnter' | 'drop',
  over: Element,
  files: readonly File[],
  folder: Folder = { name: 'folder', holds: files },
): void {
  const event = createEvent[kind](over);
  Object.defineProperty(event, 'dataTransfer', { value: dragged(files, folder) });
  fireEvent(over, event);
}
