import type { DropItem } from 'react-aria-components/useDragAndDrop';

/** Files, including those in folders; names of empty folders; and names of files and folders that could not be read. */
export type CollectedFiles = { files: File[]; emptyFolders: string[]; unread: string[] };

/** Receives the files, and the names of folders and files that yielded none. */
export type FilesHandler = (files: readonly File[], skipped?: Omit<CollectedFiles, 'files'>) => void;

/** Ignores an empty selection, such as a canceled file dialog. */
export function passFiles(onFiles: FilesHandler, { files, ...skipped }: CollectedFiles): void {
  if (files.length + skipped.emptyFolders.length + skipped.unread.length > 0) onFiles(files, skipped);
}

export const individualFiles = (files: File[]): CollectedFiles => ({ files, emptyFolders: [], unread: [] });

/** Files that desktops create in folders. */
const DESKTOP_METADATA = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);
/** Includes the metadata files that macOS writes to disks of other systems. */
const isDesktopMetadata = (name: string) => DESKTOP_METADATA.has(name) || name.startsWith('._');

export const selectedFiles = (files: FileList | null): File[] =>
  [...(files ?? [])].filter(({ name }) => !isDesktopMetadata(name));

/** Returns the files of a selected folder. Some browsers report an empty folder, but not its name. */
export function filesOfFolder(folder: FileList | null): CollectedFiles {
  const files = selectedFiles(folder);
  const name = folder?.[0]?.webkitRelativePath.split('/')[0] || 'this folder';
  return { files, emptyFolders: files.length === 0 ? [name] : [], unread: [] };
}

/** A file system entry of any API. */
type Entry = { name: string; file?: () => Promise<File>; entries?: () => AsyncIterable<Entry> };

/** Adds the files of the entries. An unreadable or missing entry does not affect the others. */
async function collect(
  source: AsyncIterable<Entry> | Iterable<Entry>,
  collected: CollectedFiles,
): Promise<CollectedFiles> {
  for await (const { name, file, entries } of source) {
    if (entries) {
      const nested = individualFiles([]);
      await collect(entries(), nested).catch(() => nested.unread.push(name));
      collected.files.push(...nested.files);
      collected.unread.push(...nested.unread);
      collected.emptyFolders.push(...(nested.files.length + nested.unread.length === 0 ? [name] : nested.emptyFolders));
    }
    if (!file || isDesktopMetadata(name)) continue;
    await file().then(
      (content) => collected.files.push(content),
      () => collected.unread.push(name),
    );
  }
  return collected;
}

type Dropped = Iterable<DropItem> | AsyncIterable<DropItem>;

async function* readItems(items: Dropped): AsyncGenerator<Entry> {
  for await (const item of items) {
    if (item.kind === 'file') yield { name: item.name, file: () => item.getFile() };
    if (item.kind === 'directory') yield { name: item.name, entries: () => readItems(item.getEntries()) };
  }
}

export const filesOfItems = (items: Dropped): Promise<CollectedFiles> => collect(readItems(items), individualFiles([]));

async function* readFolder(folder: FileSystemDirectoryEntry): AsyncGenerator<Entry> {
  const reader = folder.createReader();
  for (;;) {
    // Each call returns at most one hundred entries.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return;
    yield* entries.map(toEntry);
  }
}

function toEntry(entry: FileSystemEntry): Entry {
  const { name } = entry;
  if (entry.isDirectory) return { name, entries: () => readFolder(entry as FileSystemDirectoryEntry) };
  return {
    name,
    file: () => new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)),
  };
}

/** Collects dropped files. Entries must be read synchronously in the event; their content is read later. */
export function filesOfTransfer(transfer: DataTransfer | null): Promise<CollectedFiles> {
  const entries = [...(transfer?.items ?? [])].flatMap((item): Entry[] => {
    const entry = item.webkitGetAsEntry();
    if (entry?.isDirectory) return [toEntry(entry)];
    const file = item.getAsFile();
    return file ? [{ name: file.name, file: async () => file }] : [];
  });
  return collect(entries, individualFiles([]));
}
