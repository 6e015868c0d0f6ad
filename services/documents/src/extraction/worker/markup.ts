import { TextDecoder } from 'node:util';
import { Parser } from 'htmlparser2';
import { ExtractionError } from '../extraction.ts';
import type { TextSink } from './text-sink.ts';

/** The parser moves all open elements for each new one. No program nests as deeply. */
export const MAX_DEPTH = 2_000;

type Attributes = Readonly<Record<string, string>>;

/** Names have no prefix, because producers choose prefixes freely. */
export type XmlHandler = {
  open?(name: string, attributes: Attributes): void;
  close?(name: string): void;
  text?(text: string): void;
};

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

/** Ignores declarations in document types, so nothing is expanded or fetched. Tolerates malformed XML. */
export async function readXml(chunks: AsyncIterable<Buffer>, handler: XmlHandler): Promise<void> {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > MAX_DEPTH) throw new ExtractionError('damaged');
        handler.open?.(localName(name), attributes);
      },
      onclosetag(name) {
        depth -= 1;
        handler.close?.(localName(name));
      },
      ontext: (text) => handler.text?.(text),
    },
    { xmlMode: true },
  );
  let decoder: TextDecoder | undefined;
  for await (const chunk of chunks) {
    decoder ??= new TextDecoder(encodingOf(chunk));
    parser.write(decoder.decode(chunk, { stream: true }));
  }
  parser.end();
}

/** Office programs write UTF-8; the standards also allow UTF-16, which has a byte order mark. */
function encodingOf(first: Buffer): string {
  if (first[0] === 0xff && first[1] === 0xfe) return 'utf-16le';
  return first[0] === 0xfe && first[1] === 0xff ? 'utf-16be' : 'utf-8';
}

export function attribute(attributes: Attributes, name: string): string | undefined {
  const key = Object.keys(attributes).find((key) => localName(key) === name);
  return key === undefined ? undefined : attributes[key];
}

const HIDDEN_ELEMENTS = new Set(['script', 'style', 'noscript', 'template', 'svg', 'math', 'object', 'iframe']);

/** Phrasing content (HTML). */
const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q ruby s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);

export function createHtmlTextReader(sink: TextSink): Pick<Parser, 'write' | 'end'> {
  let hiddenDepth = 0;
  let depth = 0;
  const edge = (name: string) => {
    if (name === 'td' || name === 'th') sink.gap('\t');
    else if (!INLINE.has(name)) sink.gap('\n');
  };
  return new Parser({
    onopentagname(name) {
      depth += 1;
      if (depth > MAX_DEPTH) throw new ExtractionError('damaged');
      if (HIDDEN_ELEMENTS.has(name)) hiddenDepth += 1;
      edge(name);
    },
    onclosetag(name) {
      depth -= 1;
      if (HIDDEN_ELEMENTS.has(name)) hiddenDepth -= 1;
      edge(name);
    },
    ontext(text) {
      if (hiddenDepth === 0) sink.words(text);
    },
  });
}
