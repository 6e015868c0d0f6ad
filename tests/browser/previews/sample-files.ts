import type { Page } from 'playwright-core';

/** Builds a PDF with one page per text. */
export function buildPdf(pages: readonly string[]): Buffer {
  const kids = pages.map((_, index) => `${3 + 2 * index} 0 R`).join(' ');
  const font = 3 + 2 * pages.length;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    ...pages.flatMap((text, index) => {
      const drawing = `BT /F1 24 Tf 72 720 Td (${text}) Tj ET`;
      const resources = `<< /Font << /F1 ${font} 0 R >> >>`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources ${resources} /Contents ${4 + 2 * index} 0 R >>`,
        `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
      ];
    }),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `<< /Size ${objects.length + 1} /Root 1 0 R >>`;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n${trailer}\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

/** Records a video in this browser, which can therefore also play it. */
export async function recordVideo(page: Page, seconds: number): Promise<Buffer> {
  const base64 = await page.evaluate(async (length) => {
    const canvas = document.createElement('canvas');
    canvas.width = 320;
    canvas.height = 180;
    const context = canvas.getContext('2d');
    let frame = 0;
    const draw = () => {
      if (!context) return;
      context.fillStyle = `hsl(${(frame * 7) % 360} 60% 50%)`;
      context.fillRect(0, 0, 320, 180);
      context.fillStyle = 'white';
      context.font = '48px sans-serif';
      context.fillText(String(frame), 20, 100);
      frame += 1;
    };
    const timer = setInterval(draw, 40);
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm' });
    const chunks: Blob[] = [];
    recorder.ondataavailable = ({ data }) => chunks.push(data);
    const recordingStopped = new Promise((resolve) => {
      recorder.onstop = resolve;
    });
    recorder.start();
    setTimeout(() => recorder.stop(), length * 1000);
    await recordingStopped;
    clearInterval(timer);
    const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  }, seconds);
  return Buffer.from(base64, 'base64');
}

/** Renders a PNG image of the specified size. */
export async function renderImage(page: Page, width: number, height: number): Promise<Buffer> {
  const base64 = await page.evaluate(
    ([wide, high]) => {
      const canvas = document.createElement('canvas');
      canvas.width = wide;
      canvas.height = high;
      const context = canvas.getContext('2d');
      if (!context) throw new Error('No canvas context');
      const sky = context.createLinearGradient(0, 0, wide, high);
      sky.addColorStop(0, 'steelblue');
      sky.addColorStop(1, 'peachpuff');
      context.fillStyle = sky;
      context.fillRect(0, 0, wide, high);
      context.fillStyle = 'seagreen';
      context.beginPath();
      context.arc(wide / 3, high, high / 2, Math.PI, 0);
      context.arc((2 * wide) / 3, high, high / 3, Math.PI, 0);
      context.fill();
      return canvas.toDataURL('image/png').split(',')[1] ?? '';
    },
    [width, height] as const,
  );
  return Buffer.from(base64, 'base64');
}
