import { type PDFDocumentProxy, type PDFPageProxy, type RenderTask, TextLayer } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { useEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { theme } from '#ui/theme.ts';

/** Limit per page at any zoom, about 32 MB. */
const MAX_PIXELS = 8_000_000;

type RenderTarget = {
  document: PDFDocumentProxy;
  number: number;
  width: number;
  canvas: HTMLCanvasElement;
  text: HTMLElement;
  /** Receives the page's height divided by its width. */
  onRatio: (ratio: number) => void;
};

function renderPage(target: RenderTarget): () => void {
  let isOver = false;
  let page: PDFPageProxy | undefined;
  let task: RenderTask | undefined;
  const draw = async () => {
    page = await target.document.getPage(target.number);
    if (isOver) return;
    const [unscaled, viewport] = getViewports(page, target.width);
    target.onRatio(unscaled.height / unscaled.width);
    const { canvas } = target;
    const pixelRatio = Math.min(
      window.devicePixelRatio || 1,
      Math.sqrt(MAX_PIXELS / (viewport.width * viewport.height)),
    );
    canvas.width = Math.floor(viewport.width * pixelRatio);
    canvas.height = Math.floor(viewport.height * pixelRatio);
    task = page.render({ canvas, viewport, transform: [pixelRatio, 0, 0, pixelRatio, 0, 0] });
    await task.promise;
    if (isOver) return;
    target.text.replaceChildren();
    target.text.style.setProperty('--total-scale-factor', String(viewport.scale));
    await new TextLayer({ textContentSource: page.streamTextContent(), container: target.text, viewport }).render();
  };
  // A page that fails to render stays blank; a canceled one also rejects here.
  draw().catch(() => undefined);
  return () => {
    isOver = true;
    task?.cancel();
    target.canvas.width = 0;
    page?.cleanup();
  };
}

function getViewports(page: PDFPageProxy, width: number) {
  const unscaled = page.getViewport({ scale: 1 });
  return [unscaled, page.getViewport({ scale: width / unscaled.width })] as const;
}

type Props = {
  document: PDFDocumentProxy;
  number: number;
  width: number;
  usualRatio: number;
};

export function PdfPage({ document, number, width, usualRatio }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const [ratio, setRatio] = useState(usualRatio);
  useEffect(() => {
    if (!canvas.current || !text.current) return undefined;
    return renderPage({ document, number, width, canvas: canvas.current, text: text.current, onRatio: setRatio });
  }, [document, number, width]);
  return (
    <Sheet style={{ width, height: width * ratio }} role="group" aria-label={`Page ${number}`}>
      <canvas ref={canvas} />
      <TextLayerBox ref={text} />
    </Sheet>
  );
}

/* Paper stays white in dark mode. */
const Sheet = styled.div`
  position: relative;
  margin: 0 auto ${theme.space[4]};
  background: #fff;
  color-scheme: only light;
  box-shadow: ${theme.shadow.low};
  canvas {
    display: block;
    width: 100%;
    height: 100%;
  }
`;

/* The subset of the pdf.js text layer styles that is needed here. */
const TextLayerBox = styled.div`
  position: absolute;
  inset: 0;
  overflow: clip;
  line-height: 1;
  text-align: initial;
  transform-origin: 0 0;
  forced-color-adjust: none;
  --min-font-size: 1;
  --text-scale-factor: calc(var(--total-scale-factor) * var(--min-font-size));
  --min-font-size-inv: calc(1 / var(--min-font-size));
  span,
  br {
    position: absolute;
    color: transparent;
    white-space: pre;
    cursor: text;
    transform-origin: 0% 0%;
  }
  > :not(.markedContent),
  .markedContent span:not(.markedContent) {
    --font-height: 0;
    --scale-x: 1;
    --rotate: 0deg;
    font-size: calc(var(--text-scale-factor) * var(--font-height));
    transform: rotate(var(--rotate)) scaleX(var(--scale-x)) scale(var(--min-font-size-inv));
  }
  .markedContent {
    display: contents;
  }
`;
