import { Minus, Plus } from 'lucide-react';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { useStableCallback } from '#lib/hooks/use-stable-callback.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { theme } from '#ui/theme.ts';
import { openPdf } from './pdf-engine.ts';
import { PdfPage } from './pdf-page.tsx';
import { NO_PREVIEW, type ViewProps } from './viewed-file.ts';
import { ViewerCanvas, ViewerLoading } from './viewer-canvas.tsx';

const LINK_EXPIRED = 403;

function usePdf({ file, url, renew, onFailure }: ViewProps): PDFDocumentProxy | undefined {
  const [openedDocument, setOpened] = useState<PDFDocumentProxy>();
  const fetchRange = (link: string, range: string, signal: AbortSignal) => fetch(link, { headers: { range }, signal });
  const readRange = useStableCallback(async (begin: number, end: number, signal: AbortSignal) => {
    const range = `bytes=${begin}-${end - 1}`;
    let response = await fetchRange(url, range, signal);
    // Reading can outlast the link's lifetime.
    if (response.status === LINK_EXPIRED) response = await fetchRange(await renew(), range, signal);
    if (response.status !== 206) throw new Error(NO_PREVIEW);
    return new Uint8Array(await response.arrayBuffer());
  });
  const fail = useStableCallback(onFailure);
  useEffect(() => {
    const pdf = openPdf(file.size, readRange);
    let isOver = false;
    const failWith = (error: unknown) => isOver || fail(failureText(error));
    pdf.document.then((document) => isOver || setOpened(document), failWith);
    pdf.failure.catch(failWith);
    return () => {
      isOver = true;
      pdf.close();
    };
  }, [file.size, readRange, fail]);
  return openedDocument;
}

function failureText(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'PasswordException') return 'This file is password-protected';
  return name === 'InvalidPDFException' ? 'This file is damaged' : NO_PREVIEW;
}

const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4] as const;
const DEFAULT_ZOOM = ZOOMS.indexOf(1);
const MAX_PAGE_WIDTH_PX = 960;
const MARGINS_PX = 32;
/** A4, until a page reports its own ratio. */
const USUAL_RATIO = Math.SQRT2;

export function PdfView(props: ViewProps) {
  const document = usePdf(props);
  return document ? <Pages document={document} label={props.file.name} /> : <ViewerLoading />;
}

function Pages({ document, label }: { document: PDFDocumentProxy; label: string }) {
  const scroll = useRef<HTMLDivElement>(null);
  const pages = useRef<VirtualizerHandle>(null);
  const [zoom, setZoom] = useState(DEFAULT_ZOOM);
  const [visiblePage, setVisiblePage] = useState(1);
  const availableWidth = useWidth(scroll);
  const width = Math.max(
    120,
    Math.floor(Math.min(availableWidth - MARGINS_PX, MAX_PAGE_WIDTH_PX) * (ZOOMS[zoom] ?? 1)),
  );
  const findVisiblePage = (offset: number) =>
    setVisiblePage((pages.current?.findItemIndex(offset + (scroll.current?.clientHeight ?? 0) / 2) ?? 0) + 1);
  return (
    <>
      <Bar>
        <span role="status">
          Page {visiblePage} of {document.numPages}
        </span>
        <div>
          <IconButton label="Zoom out" isDisabled={zoom === 0} onPress={() => setZoom(zoom - 1)}>
            <Minus />
          </IconButton>
          <Percent>{Math.round((ZOOMS[zoom] ?? 1) * 100)}%</Percent>
          <IconButton label="Zoom in" isDisabled={zoom === ZOOMS.length - 1} onPress={() => setZoom(zoom + 1)}>
            <Plus />
          </IconButton>
        </div>
      </Bar>
      <Scroll ref={scroll} tabIndex={0} role="region" aria-label={label}>
        {availableWidth > 0 && (
          <Virtualizer ref={pages} scrollRef={scroll} itemSize={width * USUAL_RATIO} onScroll={findVisiblePage}>
            {Array.from({ length: document.numPages }, (_, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: pages are identified by number
              <PdfPage key={at} document={document} number={at + 1} width={width} usualRatio={USUAL_RATIO} />
            ))}
          </Virtualizer>
        )}
      </Scroll>
    </>
  );
}

const Bar = styled.div`
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: ${theme.space[3]};
  padding: ${theme.space[1]} ${theme.space[4]};
  border-bottom: 1px solid ${theme.color.line};
  color: ${theme.color.text2};
  font-variant-numeric: tabular-nums;
  > div {
    display: flex;
    align-items: center;
  }
`;

const Percent = styled.span`
  min-width: 48px;
  text-align: center;
`;

const Scroll = styled(ViewerCanvas)`
  padding: ${theme.space[4]};
  /* Rendering changes the height of a page; the list itself keeps the visible part in place. */
  overflow-anchor: none;
`;

function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return undefined;
    setWidth(current.clientWidth);
    const watch = new ResizeObserver(() => setWidth(current.clientWidth));
    watch.observe(current);
    return () => watch.disconnect();
  }, [element]);
  return width;
}
