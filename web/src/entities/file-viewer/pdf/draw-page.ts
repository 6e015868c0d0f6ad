import { type PDFDocumentProxy, type PDFPageProxy, type RenderTask, TextLayer } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** Of one page, however far it is zoomed: 32 MB. */
const MOST_PIXELS = 8_000_000;

/** Where a page is drawn, `width` pixels of the page wide. */
export type PagePlace = {
  document: PDFDocumentProxy;
  number: number;
  width: number;
  canvas: HTMLCanvasElement;
  text: HTMLElement;
  /** Hears how high it is for its width. */
  onRatio: (ratio: number) => void;
};

/** Draws a page, and its words over it to be marked and copied; the answer stops that, and lets its pixels go. */
export function drawPage(place: PagePlace): () => void {
  let isOver = false;
  let page: PDFPageProxy | undefined;
  let task: RenderTask | undefined;
  const draw = async () => {
    page = await place.document.getPage(place.number);
    if (isOver) return;
    const [whole, viewport] = viewportsOf(page, place.width);
    place.onRatio(whole.height / whole.width);
    const { canvas } = place;
    const dense = Math.min(window.devicePixelRatio || 1, Math.sqrt(MOST_PIXELS / (viewport.width * viewport.height)));
    canvas.width = Math.floor(viewport.width * dense);
    canvas.height = Math.floor(viewport.height * dense);
    task = page.render({ canvas, viewport, transform: [dense, 0, 0, dense, 0, 0] });
    await task.promise;
    if (isOver) return;
    place.text.replaceChildren();
    place.text.style.setProperty('--total-scale-factor', String(viewport.scale));
    await new TextLayer({ textContentSource: page.streamTextContent(), container: place.text, viewport }).render();
  };
  // A page that cannot be drawn stays white, the others do not; one that is stopped says so here, too.
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
