import type { DropItem } from 'react-aria-components/useDragAndDrop';

/** What was given: files, those of folders too, and the names of folders in which there are none. */
export type GivenFiles = { files: File[]; emptyFolders: string[] };

/** Takes files in; `emptyFolders` are the names of what was given and has none. */
export type TakeFiles = (files: readonly File[], emptyFolders?: readonly string[]) => void;

/** What desktops put into folders for themselves. */
const OF_THE_DESKTOP = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);
/** Beside them, what macOS keeps of each file on disks of others. */
const isOfTheDesktop = (name: string) => OF_THE_DESKTOP.has(name) || name.startsWith('._');

/** Of files that were chosen, those that somebody put there. */
export const chosenFiles = (given: FileList | null): File[] =>
  [...(given ?? [])].filter(({ name }) => !isOfTheDesktop(name));

/** The name of a chosen folder in which nobody put any; some browsers tell of one that is empty, too, but not how it is called. */
export function folderWithout(given: FileList | null): string[] {
  if (chosenFiles(given).length > 0) return [];
  return [given?.[0]?.webkitRelativePath.split('/')[0] || 'this folder'];
}

/** Something of a file system, whoever tells of it. */
type Entry = { name: string; file?: () => Promise<File>; entries?: () => AsyncIterable<Entry> };

async function collect(given: AsyncIterable<Entry> | Iterable<Entry>): Promise<GivenFiles> {
  const found: GivenFiles = { files: [], emptyFolders: [] };
  for await (const { name, file, entries } of given) {
    if (entries) {
      const { files, emptyFolders } = await collect(entries());
      found.files.push(...files);
      found.emptyFolders.push(...(files.length === 0 ? [name] : emptyFolders));
    }
    if (file && !isOfTheDesktop(name)) found.files.push(await file());
  }
  return found;
}

type Dropped = Iterable<DropItem> | AsyncIterable<DropItem>;

async function* ofItems(items: Dropped): AsyncGenerator<Entry> {
  for await (const item of items) {
    if (item.kind === 'file') yield { name: item.name, file: () => item.getFile() };
    if (item.kind === 'directory') yield { name: item.name, entries: () => ofItems(item.getEntries()) };
  }
}

/** Of what was dropped on a place for files. */
export const filesOfItems = (items: Dropped): Promise<GivenFiles> => collect(ofItems(items));

async function* ofFolder(folder: FileSystemDirectoryEntry): AsyncGenerator<Entry> {
  const reader = folder.createReader();
  for (;;) {
    // A hundred at most come at a time.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return;
    yield* entries.map(ofEntry);
  }
}

function ofEntry(entry: FileSystemEntry): Entry {
  const { name } = entry;
  if (entry.isDirectory) return { name, entries: () => ofFolder(entry as FileSystemDirectoryEntry) };
  return {
    name,
    file: () => new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)),
  };
}

/** Of what was dropped anywhere. Entries have to be asked for while the drop is told of; what is in them comes later. */
export function filesOfTransfer(dropped: DataTransfer | null): Promise<GivenFiles> {
  const given = [...(dropped?.items ?? [])].flatMap((item): Entry[] => {
    const entry = item.webkitGetAsEntry();
    if (entry?.isDirectory) return [ofEntry(entry)];
    const file = item.getAsFile();
    return file ? [{ name: file.name, file: async () => file }] : [];
  });
  return collect(given);
}
