import { useId } from 'react';
import useSWR from 'swr';
import { readFirstBytes } from './read-first-bytes.ts';
import { ONCE } from './use-file-link.ts';
import type { ViewProps } from './viewed-file.ts';

/** The first bytes of a file as text, and whether there are more. */
export function useTextPreview({ file, url }: Pick<ViewProps, 'file' | 'url'>, maxBytes: number) {
  const look = useId();
  const answer = useSWR<string, Error>(`file-text ${look} ${file.key}`, () => readFirstBytes(url, maxBytes), ONCE);
  return { ...answer, isCut: file.size > maxBytes };
}
