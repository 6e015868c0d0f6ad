import { TextDecoder } from 'node:util';
import { Parser } from 'htmlparser2';
import { ExtractionError } from './fault.ts';

/** The parser moves all open elements for each that it opens. No program writes so many. */
export const MOST_LEVELS = 2_000;

export type Attributes = Readonly<Record<string, string>>;

/** What is told of a part, in its order. Names come without their prefix: producers choose those as they like. */
export type XmlHandler = {
  open?(name: string, attributes: Attributes): void;
  close?(name: string): void;
  text?(text: string): void;
};

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

/**
 * Reads XML as it comes. The parser knows the five entities of XML and characters by number; what a document type declares it passes
 * over, so that nothing expands and nothing is fetched. It takes what is not well-formed as best it can.
 */
export async function readXml(chunks: AsyncIterable<Buffer>, handler: XmlHandler): Promise<void> {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > MOST_LEVELS) throw new ExtractionError('damaged');
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

/** Office and its kin write UTF-8; the standards allow UTF-16, which has a mark. */
function encodingOf(first: Buffer): string {
  if (first[0] === 0xff && first[1] === 0xfe) return 'utf-16le';
  return first[0] === 0xfe && first[1] === 0xff ? 'utf-16be' : 'utf-8';
}

/** An attribute by its name without prefix. */
export function attribute(attributes: Attributes, name: string): string | undefined {
  const key = Object.keys(attributes).find((one) => localName(one) === name);
  return key === undefined ? undefined : attributes[key];
}
