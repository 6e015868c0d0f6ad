import { Parser } from 'htmlparser2';
import { ExtractionError } from './fault.ts';
import type { TextSink } from './text-sink.ts';
import { MOST_LEVELS } from './xml.ts';

const UNSEEN = new Set(['script', 'style', 'noscript', 'template', 'svg', 'math', 'object', 'iframe']);

/** What does not begin a line (HTML, "phrasing content"); everything else does. */
const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q ruby s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);

/** Takes a page piece by piece and gives the sink what a person would see of it. */
export function createPageReader(sink: TextSink): Pick<Parser, 'write' | 'end'> {
  let unseen = 0;
  let depth = 0;
  const edge = (name: string) => {
    if (name === 'td' || name === 'th') sink.gap('\t');
    else if (!INLINE.has(name)) sink.gap('\n');
  };
  return new Parser({
    onopentagname(name) {
      depth += 1;
      if (depth > MOST_LEVELS) throw new ExtractionError('damaged');
      if (UNSEEN.has(name)) unseen += 1;
      edge(name);
    },
    onclosetag(name) {
      depth -= 1;
      if (UNSEEN.has(name)) unseen -= 1;
      edge(name);
    },
    ontext(text) {
      if (unseen === 0) sink.words(text);
    },
  });
}
