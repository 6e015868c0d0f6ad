import { Parser } from 'htmlparser2';
import { ExtractionError } from './extraction-error.ts';
import type { TextSink } from './text-sink.ts';
import { MAX_DEPTH } from './xml.ts';

const HIDDEN_ELEMENTS = new Set(['script', 'style', 'noscript', 'template', 'svg', 'math', 'object', 'iframe']);

/** Phrasing content (HTML); all other elements start a new line. */
const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q ruby s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);

/** Parses HTML in chunks and writes its visible text to the sink. */
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
