import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { useEffect, useState } from 'react';
import { useStableCallback } from '#lib/hooks/use-stable-callback.ts';
import { NO_PREVIEW, type ViewProps } from '../viewed-file.ts';
import { openPdf } from './pdf-engine.ts';

const GONE = 403;

/** Opens the file; closes it on unmount. */
export function usePdf({ file, url, renew, onFailure }: ViewProps): PDFDocumentProxy | undefined {
  const [opened, setOpened] = useState<PDFDocumentProxy>();
  const ask = (link: string, range: string, signal: AbortSignal) => fetch(link, { headers: { range }, signal });
  const readRange = useStableCallback(async (begin: number, end: number, signal: AbortSignal) => {
    const range = `bytes=${begin}-${end - 1}`;
    let answer = await ask(url, range, signal);
    // Reading can outlast the link's lifetime.
    if (answer.status === GONE) answer = await ask(await renew(), range, signal);
    if (answer.status !== 206) throw new Error(NO_PREVIEW);
    return new Uint8Array(await answer.arrayBuffer());
  });
  const fail = useStableCallback(onFailure);
  useEffect(() => {
    const pdf = openPdf(file.size, readRange);
    let isOver = false;
    const failWith = (error: unknown) => isOver || fail(wordsFor(error));
    pdf.document.then((document) => isOver || setOpened(document), failWith);
    pdf.whole.catch(failWith);
    return () => {
      isOver = true;
      pdf.close();
    };
  }, [file.size, readRange, fail]);
  return opened;
}

function wordsFor(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'PasswordException') return 'This file is password-protected';
  return name === 'InvalidPDFException' ? 'This file is damaged' : NO_PREVIEW;
}
