import type { DropItem } from 'react-aria-components/useDragAndDrop';

/** What was given: files, those of folders too, the names of folders in which there are none, and of what could not be read. */
export type GivenFiles = { files: File[]; emptyFolders: string[]; unread: string[] };

/** Takes files in, and is told of what was given and made none. */
export type TakeFiles = (files: readonly File[], without?: Omit<GivenFiles, 'files'>) => void;

/** Nothing at all, as when a choice is given up, is told to nobody. */
export function giveTo(take: TakeFiles, { files, ...without }: GivenFiles): void {
  if (files.length + without.emptyFolders.length + without.unread.length > 0) take(files, without);
}

/** Files of which each was chosen by itself. */
export const filesAlone = (files: File[]): GivenFiles => ({ files, emptyFolders: [], unread: [] });

/** What desktops put into folders for themselves. */
const OF_THE_DESKTOP = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);
/** Beside them, what macOS keeps of each file on disks of others. */
const isOfTheDesktop = (name: string) => OF_THE_DESKTOP.has(name) || name.startsWith('._');

/** Of files that were chosen, those that somebody put there. */
export const chosenFiles = (given: FileList | null): File[] =>
  [...(given ?? [])].filter(({ name }) => !isOfTheDesktop(name));

/** Of a folder that was chosen. Some browsers tell of one that is empty, too, but not how it is called. */
export function filesOfChosen(folder: FileList | null): GivenFiles {
  const files = chosenFiles(folder);
  const name = folder?.[0]?.webkitRelativePath.split('/')[0] || 'this folder';
  return { files, emptyFolders: files.length === 0 ? [name] : [], unread: [] };
}

/** Something of a file system, whoever tells of it. */
type Entry = { name: string; file?: () => Promise<File>; entries?: () => AsyncIterable<Entry> };

/** Adds to what was found. Whatever cannot be read, or is gone by now, takes nothing else with it. */
async function collect(given: AsyncIterable<Entry> | Iterable<Entry>, found: GivenFiles): Promise<GivenFiles> {
  for await (const { name, file, entries } of given) {
    if (entries) {
      const inside = filesAlone([]);
      await collect(entries(), inside).catch(() => inside.unread.push(name));
      found.files.push(...inside.files);
      found.unread.push(...inside.unread);
      found.emptyFolders.push(...(inside.files.length + inside.unread.length === 0 ? [name] : inside.emptyFolders));
    }
    if (!file || isOfTheDesktop(name)) continue;
    await file().then(
      (one) => found.files.push(one),
      () => found.unread.push(name),
    );
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
export const filesOfItems = (items: Dropped): Promise<GivenFiles> => collect(ofItems(items), filesAlone([]));

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
  return collect(given, filesAlone([]));
}
