import { useId } from 'react';
import useSWR from 'swr';
import { readBeginning } from './read-first-bytes.ts';
import { ONCE } from './use-file-link.ts';
import type { ViewProps } from './viewed-file.ts';

/** The first bytes of a file as text, and whether there are more. */
export function useBeginning({ file, url }: Pick<ViewProps, 'file' | 'url'>, most: number) {
  const look = useId();
  const answer = useSWR<string, Error>(`file-text ${look} ${file.key}`, () => readBeginning(url, most), ONCE);
  return { ...answer, isCut: file.size > most };
}
