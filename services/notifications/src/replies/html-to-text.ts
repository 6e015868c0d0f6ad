import { Parser } from 'htmlparser2';

/** Each new element costs the parser time for every open one, and no mail program nests this deeply. */
const MAX_DEPTH = 500;
const HIDDEN_ELEMENTS = new Set(['head', 'script', 'style', 'template', 'title']);
const BLOCKS = new Set(
  'address article blockquote center dd div dl dt fieldset footer form h1 h2 h3 h4 h5 h6 header hr li ol p pre section table tr ul'.split(
    ' ',
  ),
);
const PARAGRAPHS = new Set('h1 h2 h3 h4 h5 h6 ol p pre table ul'.split(' '));
/** Outlook writes each line as a paragraph of this class, and an empty line as an empty one. */
const LINE_CLASS = /\bMsoNormal\b/;

/**
 * Converts the HTML of an email to text, with `> ` before the lines of quotes. Returns an empty text if it is nested too
 * deeply.
 */
export function htmlToText(html: string): string {
  const writer = createLineWriter();
  const open: {
    name: string;
    isHidden: boolean;
    isLine: boolean;
    isParagraph: boolean;
    href: string;
    label: string;
  }[] = [];
  let isTooDeep = false;
  const parser = new Parser({
    onopentag(name, { class: className = '', href = '' }) {
      if (open.length >= MAX_DEPTH) {
        isTooDeep = true;
        parser.pause();
        return;
      }
      const isHidden = HIDDEN_ELEMENTS.has(name) || open.at(-1)?.isHidden === true;
      const isLine = LINE_CLASS.test(className);
      const isParagraph = PARAGRAPHS.has(name) && !isLine;
      open.push({ name, isHidden, isLine, isParagraph, href, label: '' });
      if (BLOCKS.has(name)) writer.endLine(isParagraph);
      if (name === 'blockquote') writer.quote(1);
      if (name === 'br') writer.breakLine();
      if (name === 'li') writer.write('- ');
    },
    onclosetag(name) {
      const element = open.pop();
      if (!element) return;
      if (name === 'blockquote') writer.quote(-1);
      if (element.isLine) writer.breakLine();
      else if (BLOCKS.has(name)) writer.endLine(element.isParagraph);
      if (name === 'td') writer.write(' ');
      if (name === 'a' && isOtherUrl(element)) writer.write(` (${element.href})`);
    },
    ontext(text) {
      const element = open.at(-1);
      if (element?.isHidden) return;
      const words = text.replaceAll(/[\s\u00a0]+/g, ' ');
      if (element?.name === 'a') element.label += words;
      writer.write(words);
    },
  });
  parser.end(html);
  return isTooDeep ? '' : writer.toText();
}

/** Whether the text of a link does not show where it leads. */
const isOtherUrl = ({ href, label }: { href: string; label: string }) =>
  /^https?:/i.test(href) && label.trim() !== '' && !href.includes(label.trim().replace(/^https?:\/\//i, ''));

function createLineWriter() {
  const lines: string[] = [];
  let line = '';
  let depth = 0;
  const push = () => {
    lines.push(`${'> '.repeat(depth)}${line.trim()}`.trimEnd());
    line = '';
  };
  return {
    write(text: string) {
      line += text;
    },
    breakLine: push,
    /** Ends the line that has text, if any, and begins a paragraph. */
    endLine(isParagraph: boolean) {
      if (line.trim() !== '') push();
      line = '';
      if (isParagraph && lines.length > 0 && !/^[> ]*$/.test(lines.at(-1) ?? '')) push();
    },
    quote(change: 1 | -1) {
      if (change === -1 && line.trim() !== '') push();
      depth += change;
    },
    toText() {
      if (line.trim() !== '') push();
      return lines.join('\n').trim();
    },
  };
}
