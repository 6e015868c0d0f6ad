import { type PDFDocumentProxy, type PDFPageProxy, type RenderTask, TextLayer } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** Limit per page at any zoom, about 32 MB. */
const MAX_PIXELS = 8_000_000;

/** Where a page is rendered; `width` is the page's width in pixels. */
export type RenderTarget = {
  document: PDFDocumentProxy;
  number: number;
  width: number;
  canvas: HTMLCanvasElement;
  text: HTMLElement;
  /** Receives the page's height divided by its width. */
  onRatio: (ratio: number) => void;
};

/** Renders a page with a selectable text layer; the returned function cancels it and releases its memory. */
export function renderPage(place: RenderTarget): () => void {
  let isOver = false;
  let page: PDFPageProxy | undefined;
  let task: RenderTask | undefined;
  const draw = async () => {
    page = await place.document.getPage(place.number);
    if (isOver) return;
    const [whole, viewport] = viewportsOf(page, place.width);
    place.onRatio(whole.height / whole.width);
    const { canvas } = place;
    const dense = Math.min(window.devicePixelRatio || 1, Math.sqrt(MAX_PIXELS / (viewport.width * viewport.height)));
    canvas.width = Math.floor(viewport.width * dense);
    canvas.height = Math.floor(viewport.height * dense);
    task = page.render({ canvas, viewport, transform: [dense, 0, 0, dense, 0, 0] });
    await task.promise;
    if (isOver) return;
    place.text.replaceChildren();
    place.text.style.setProperty('--total-scale-factor', String(viewport.scale));
    await new TextLayer({ textContentSource: page.streamTextContent(), container: place.text, viewport }).render();
  };
  // A page that fails to render stays blank; a cancelled one rejects here, too.
  draw().catch(() => undefined);
  return () => {
    isOver = true;
    task?.cancel();
    place.canvas.width = 0;
    page?.cleanup();
  };
}

function viewportsOf(page: PDFPageProxy, width: number) {
  const whole = page.getViewport({ scale: 1 });
  return [whole, page.getViewport({ scale: width / whole.width })] as const;
}
