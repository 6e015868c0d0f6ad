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
import { styled } from 'styled-components';
import { theme } from '#ui/theme.ts';

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

export function FileIcon({ mimetype }: { mimetype: string }) {
  const Icon = ICONS.find(([pattern]) => pattern.test(mimetype))?.[1] ?? File;
  return (
    <Tile aria-hidden="true">
      <Icon />
    </Tile>
  );
}

const Tile = styled.span`
  display: grid;
  place-items: center;
  flex: none;
  width: 40px;
  height: 40px;
  border-radius: ${theme.radius.md};
  background: ${theme.color.sunken};
  color: ${theme.color.text2};
  svg {
    width: 20px;
    height: 20px;
    stroke-width: 1.75;
  }
`;
