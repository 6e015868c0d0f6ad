import { createEvent, fireEvent } from '@testing-library/react';

export const buildFile = (name: string) => new File(['words'], name, { type: 'text/plain' });
const itemOf = (file: File) => ({
  kind: 'file',
  type: file.type,
  getAsFile: () => file,
  webkitGetAsEntry: () => ({ isFile: true }),
});

/** A folder, by its name, and what is in it. */
export type Folder = { name: string; holds: readonly (File | Folder | Unreadable)[] };

/** A file that its system does not let anybody read. */
export type Unreadable = { unreadable: string };

function entryOf(one: File | Folder | Unreadable): object {
  if ('holds' in one) return buildFolder(one);
  const isFile = { isFile: true, isDirectory: false };
  if (one instanceof File) return { ...isFile, name: one.name, file: (onResult: (file: File) => void) => onResult(one) };
  const refuse = (_onResult: unknown, fail: (error: unknown) => void) => fail(new DOMException('', 'NotReadableError'));
  return { ...isFile, name: one.unreadable, file: refuse };
}

/** It tells of what is in it two at a time, and of nothing at the end. */
function buildFolder({ name, holds }: Folder) {
  const entries = holds.map(entryOf);
  const answers = [entries.slice(0, 2), entries.slice(2), []];
  const readEntries = (onResult: (entries: unknown) => void) => onResult(answers.shift());
  return { isFile: false, isDirectory: true, name, createReader: () => ({ readEntries }) };
}

/** Files of the desktop and a folder while they are dragged, which jsdom has no notion of. */
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

/** Has the event of files being dragged come to an element, with a folder that has the same ones in it unless another one is given. */
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
