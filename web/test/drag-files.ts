import { createEvent, fireEvent } from '@testing-library/react';

export const aFile = (name: string) => new File(['words'], name, { type: 'text/plain' });
const itemOf = (file: File) => ({
  kind: 'file',
  type: file.type,
  getAsFile: () => file,
  webkitGetAsEntry: () => ({ isFile: true }),
});

/** One that has the same files in it. */
function aFolder(files: readonly File[]) {
  const answers = [files.map((file) => ({ isFile: true, file: (tell: (file: File) => void) => tell(file) })), []];
  const readEntries = (tell: (entries: unknown) => void) => tell(answers.shift());
  return { isDirectory: true, createReader: () => ({ readEntries }) };
}

/** Files of the desktop and a folder with them while they are dragged, which jsdom has no notion of. */
function dragged(files: readonly File[]) {
  return {
    effectAllowed: 'all',
    types: ['Files'],
    items: [
      ...files.map(itemOf),
      { kind: 'file', type: '', getAsFile: () => null, webkitGetAsEntry: () => aFolder(files) },
    ],
    files,
    getData: () => '',
  };
}

/** Has the event of files being dragged come to an element. */
export function drag(kind: 'dragEnter' | 'drop', over: Element, files: readonly File[]): void {
  const event = createEvent[kind](over);
  Object.defineProperty(event, 'dataTransfer', { value: dragged(files) });
  fireEvent(over, event);
}
