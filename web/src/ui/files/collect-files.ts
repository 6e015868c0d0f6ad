import type { DropItem } from 'react-aria-components/useDragAndDrop';

/** Selected or dropped files, including those in folders; names of empty folders, and of what could not be read. */
export type CollectedFiles = { files: File[]; emptyFolders: string[]; unread: string[] };

/** Receives the files, and the names that yielded none. */
export type FilesHandler = (files: readonly File[], without?: Omit<CollectedFiles, 'files'>) => void;

/** Ignores an empty selection, such as a cancelled file dialog. */
export function passFiles(take: FilesHandler, { files, ...without }: CollectedFiles): void {
  if (files.length + without.emptyFolders.length + without.unread.length > 0) take(files, without);
}

export const individualFiles = (files: File[]): CollectedFiles => ({ files, emptyFolders: [], unread: [] });

/** Files that desktops create in folders. */
const DESKTOP_METADATA = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);
/** Including the metadata files of macOS on foreign disks. */
const isDesktopMetadata = (name: string) => DESKTOP_METADATA.has(name) || name.startsWith('._');

export const selectedFiles = (files: FileList | null): File[] =>
  [...(files ?? [])].filter(({ name }) => !isDesktopMetadata(name));

/** The files of a selected folder. Some browsers report an empty one, but not its name. */
export function filesOfFolder(folder: FileList | null): CollectedFiles {
  const files = selectedFiles(folder);
  const name = folder?.[0]?.webkitRelativePath.split('/')[0] || 'this folder';
  return { files, emptyFolders: files.length === 0 ? [name] : [], unread: [] };
}

/** A file system entry of any API. */
type Entry = { name: string; file?: () => Promise<File>; entries?: () => AsyncIterable<Entry> };

/** Adds the files of the entries. An unreadable or missing one does not affect the others. */
async function collect(source: AsyncIterable<Entry> | Iterable<Entry>, found: CollectedFiles): Promise<CollectedFiles> {
  for await (const { name, file, entries } of source) {
    if (entries) {
      const inside = individualFiles([]);
      await collect(entries(), inside).catch(() => inside.unread.push(name));
      found.files.push(...inside.files);
      found.unread.push(...inside.unread);
      found.emptyFolders.push(...(inside.files.length + inside.unread.length === 0 ? [name] : inside.emptyFolders));
    }
    if (!file || isDesktopMetadata(name)) continue;
    await file().then(
      (opened) => found.files.push(opened),
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

export const filesOfItems = (items: Dropped): Promise<CollectedFiles> => collect(ofItems(items), individualFiles([]));

async function* ofFolder(folder: FileSystemDirectoryEntry): AsyncGenerator<Entry> {
  const reader = folder.createReader();
  for (;;) {
    // At most one hundred per call.
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

/** The files dropped anywhere. Entries must be read synchronously in the event; their content is read later. */
export function filesOfTransfer(dropped: DataTransfer | null): Promise<CollectedFiles> {
  const entries = [...(dropped?.items ?? [])].flatMap((item): Entry[] => {
    const entry = item.webkitGetAsEntry();
    if (entry?.isDirectory) return [ofEntry(entry)];
    const file = item.getAsFile();
    return file ? [{ name: file.name, file: async () => file }] : [];
  });
  return collect(entries, individualFiles([]));
}
