import {
  File,
  FileArchive,
  FileAudio,
  FileBraces,
  FileImage,
  FileSpreadsheet,
  FileText,
  FileVideo,
  type LucideIcon,
  Presentation,
} from 'lucide-react';
import { IconTile } from '#ui/layout/icon-tile.ts';

const ICONS: readonly (readonly [RegExp, LucideIcon])[] = [
  [/^image\//, FileImage],
  [/^video\//, FileVideo],
  [/^audio\//, FileAudio],
  [/csv|spreadsheet|ms-excel/, FileSpreadsheet],
  [/presentation|powerpoint/, Presentation],
  [/json|xml/, FileBraces],
  [/zip|gzip|x-tar|7z|rar|bzip|zstd|x-xz/, FileArchive],
  [/^text\/|pdf|word|document|rtf|epub/, FileText],
];

export function FileIcon({ mimetype, size = 40 }: { mimetype: string; size?: 32 | 40 }) {
  const Icon = ICONS.find(([pattern]) => pattern.test(mimetype))?.[1] ?? File;
  return (
    <IconTile $size={size} aria-hidden="true">
      <Icon />
    </IconTile>
  );
}
